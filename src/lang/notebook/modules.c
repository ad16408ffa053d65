/* What import finds: tables of functions, and modules that are written in Python (python/). A
 * module that attn does not have is an empty one, which refuses when it is used. */
#include <math.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_hash_sha512.h>
#include <sodium/utils.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"
#include "notebook_python.h"

#define FUNCTION(name) static bool name(struct native_call *c, struct value *ret)

/* ---- math ---- */

static bool domain(struct machine *m)
{
    return raise_error(m, ERROR_VALUE, "math domain error");
}

/* Functions of one number to one, whose result is a number wherever the argument is one. */
#define MATH(name, condition, formula)                                    \
    FUNCTION(math_##name)                                                 \
    {                                                                     \
        double x;                                                         \
        if (!value_number(c->m, c->args[0], &x))                          \
            return false;                                                 \
        if (!(condition))                                                 \
            return domain(c->m);                                          \
        double y = formula;                                               \
        if (isinf(y) && isfinite(x))                                      \
            return raise_error(c->m, ERROR_OVERFLOW, "math range error"); \
        *ret = value_float(y);                                            \
        return true;                                                      \
    }
MATH(sqrt, !(x < 0), sqrt(x))
MATH(exp, true, exp(x))
MATH(sin, isfinite(x) || isnan(x), sin(x))
MATH(cos, isfinite(x) || isnan(x), cos(x))
MATH(tan, isfinite(x) || isnan(x), tan(x))
MATH(asin, !(fabs(x) > 1), asin(x))
MATH(acos, !(fabs(x) > 1), acos(x))
MATH(atan, true, atan(x))
MATH(sinh, true, sinh(x))
MATH(cosh, true, cosh(x))
MATH(tanh, true, tanh(x))
MATH(log2, !(x <= 0), log2(x))
MATH(log10, !(x <= 0), log10(x))
MATH(log1p, !(x <= -1), log1p(x))
MATH(expm1, true, expm1(x))
MATH(erf, true, erf(x))
MATH(gamma, true, tgamma(x))
MATH(lgamma, true, lgamma(x))
MATH(fabs, true, fabs(x))
MATH(degrees, true, x *(180.0 / 3.14159265358979323846))
MATH(radians, true, x *(3.14159265358979323846 / 180.0))

FUNCTION(math_log)
{
    double x, base;
    if (!value_number(c->m, c->args[0], &x))
        return false;
    if (x <= 0)
        return domain(c->m);
    *ret = value_float(log(x));
    if (c->args[1].kind == VALUE_ABSENT)
        return true;
    if (!value_number(c->m, c->args[1], &base))
        return false;
    if (base <= 0)
        return domain(c->m);
    if (base == 1)
        return raise_error(c->m, ERROR_ZERO, "float division by zero");
    *ret = value_float(log(x) / log(base));
    return true;
}

static bool to_whole(struct native_call *c, double (*round_)(double), struct value *ret)
{
    double x;
    if (c->args[0].kind == VALUE_INT || c->args[0].kind == VALUE_BOOL) {
        *ret = value_int(c->args[0].as.whole);
        return true;
    }
    if (!value_number(c->m, c->args[0], &x))
        return false;
    if (!isfinite(x) || fabs(x) > 9.2e18)
        return raise_error(c->m, isnan(x) ? ERROR_VALUE : ERROR_OVERFLOW,
                           "cannot convert float %s to integer", isnan(x) ? "NaN" : "infinity");
    *ret = value_int((int64_t)round_(x));
    return true;
}
FUNCTION(math_floor)
{
    return to_whole(c, floor, ret);
}
FUNCTION(math_ceil)
{
    return to_whole(c, ceil, ret);
}
FUNCTION(math_trunc)
{
    return to_whole(c, trunc, ret);
}

static bool question(struct native_call *c, int which, struct value *ret)
{
    double x;
    if (!value_number(c->m, c->args[0], &x))
        return false;
    *ret = value_bool(which == 0 ? isnan(x) : which == 1 ? isinf(x) : isfinite(x));
    return true;
}
FUNCTION(math_isnan)
{
    return question(c, 0, ret);
}
FUNCTION(math_isinf)
{
    return question(c, 1, ret);
}
FUNCTION(math_isfinite)
{
    return question(c, 2, ret);
}

static bool two_numbers(struct native_call *c, double (*f)(double, double), struct value *ret)
{
    double x, y;
    if (!value_number(c->m, c->args[0], &x) || !value_number(c->m, c->args[1], &y))
        return false;
    *ret = value_float(f(x, y));
    return true;
}
FUNCTION(math_pow)
{
    return two_numbers(c, pow, ret);
}
FUNCTION(math_atan2)
{
    return two_numbers(c, atan2, ret);
}
FUNCTION(math_fmod)
{
    return two_numbers(c, fmod, ret);
}
FUNCTION(math_copysign)
{
    return two_numbers(c, copysign, ret);
}
FUNCTION(math_hypot)
{
    return two_numbers(c, hypot, ret);
}

FUNCTION(math_isclose)
{
    double a, b, relative = 1e-9, absolute = 0;
    if (!value_number(c->m, c->args[0], &a) || !value_number(c->m, c->args[1], &b) ||
        (c->args[2].kind != VALUE_ABSENT && !value_number(c->m, c->args[2], &relative)) ||
        (c->args[3].kind != VALUE_ABSENT && !value_number(c->m, c->args[3], &absolute)))
        return false;
    double larger = fmax(fabs(a), fabs(b));
    *ret = value_bool(
        a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= fmax(relative * larger, absolute)));
    return true;
}

FUNCTION(math_gcd)
{
    int64_t g = 0, x;
    for (size_t i = 0; i < c->n_rest; i++) {
        if (!value_whole(c->m, c->rest[i], &x))
            return false;
        x = x < 0 ? -x : x;
        while (x != 0) {
            int64_t rest = g % x;
            g = x;
            x = rest;
        }
    }
    *ret = value_int(g);
    return true;
}

/* n! / (n - k)! / by: the product in steps that stay whole. */
static bool choose(struct native_call *c, int64_t n, int64_t k, bool ordered, struct value *ret)
{
    int64_t result = 1;
    if (k > n) {
        *ret = value_int(0);
        return true;
    }
    if (!ordered && k > n - k)
        k = n - k;
    for (int64_t i = 0; i < k; i++) {
        if (__builtin_mul_overflow(result, n - i, &result))
            return raise_error(c->m, ERROR_OVERFLOW, "whole numbers have 64 bits in attn");
        result = ordered ? result : result / (i + 1);
    }
    *ret = value_int(result);
    return true;
}
static bool counts(struct native_call *c, bool has_k, int64_t *ret_n, int64_t *ret_k)
{
    if (!value_whole(c->m, c->args[0], ret_n))
        return false;
    *ret_k = *ret_n;
    if (has_k && c->args[1].kind != VALUE_ABSENT && !value_whole(c->m, c->args[1], ret_k))
        return false;
    return (*ret_n >= 0 && *ret_k >= 0) ||
           raise_error(c->m, ERROR_VALUE, "%s() not defined for negative values", c->native->name);
}
FUNCTION(math_factorial)
{
    int64_t n, k;
    return counts(c, false, &n, &k) && choose(c, n, n, true, ret);
}
FUNCTION(math_comb)
{
    int64_t n, k;
    return counts(c, true, &n, &k) && choose(c, n, k, false, ret);
}
FUNCTION(math_perm)
{
    int64_t n, k;
    return counts(c, true, &n, &k) && choose(c, n, k, true, ret);
}

FUNCTION(math_isqrt)
{
    int64_t n, k;
    if (!counts(c, false, &n, &k))
        return false;
    int64_t root = (int64_t)sqrt((double)n);
    while (root > 0 && root > n / root)
        root--;
    while ((root + 1) <= n / (root + 1))
        root++;
    *ret = value_int(root);
    return true;
}

FUNCTION(math_prod)
{
    struct array *items;
    struct value total = value_int(1), next;
    if (!value_to_array(c->m, c->args[0], &items))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < items->n; i++) {
        ok = operate(c->m, SIGN_MUL, total, items->items[i], false, &next);
        if (ok)
            value_put(&total, next);
    }
    value_drop(value_thing(items));
    *ret = total;
    return ok;
}

/* Shewchuk's sum: exact partial sums, rounded once. */
FUNCTION(math_fsum)
{
    struct array *items;
    double partials[64];
    size_t n = 0;
    if (!value_to_array(c->m, c->args[0], &items))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < items->n; i++) {
        double x;
        size_t kept = 0;
        ok = value_number(c->m, items->items[i], &x);
        for (size_t k = 0; ok && k < n; k++) {
            double y = partials[k];
            if (fabs(x) < fabs(y)) {
                double swap = x;
                x = y;
                y = swap;
            }
            double high = x + y, low = y - (high - x);
            if (low != 0)
                partials[kept++] = low;
            x = high;
        }
        if (ok && kept < COUNT_OF(partials))
            partials[kept++] = x;
        n = kept;
    }
    double total = 0;
    for (size_t k = 0; k < n; k++)
        total += partials[k];
    value_drop(value_thing(items));
    *ret = value_float(total);
    return ok;
}

#define M(name)                    \
    {                              \
#name, {"x" }, math_##name \
    }
static const struct native math_rows[] = {
    M(sqrt),
    M(exp),
    M(sin),
    M(cos),
    M(tan),
    M(asin),
    M(acos),
    M(atan),
    M(sinh),
    M(cosh),
    M(tanh),
    M(log2),
    M(log10),
    M(log1p),
    M(expm1),
    M(erf),
    M(gamma),
    M(lgamma),
    M(fabs),
    M(degrees),
    M(radians),
    M(floor),
    M(ceil),
    M(trunc),
    M(isnan),
    M(isinf),
    M(isfinite),
    M(factorial),
    M(isqrt),
    {"log", {"x", "base="}, math_log},
    {"pow", {"x", "y"}, math_pow},
    {"atan2", {"y", "x"}, math_atan2},
    {"fmod", {"x", "y"}, math_fmod},
    {"copysign", {"x", "y"}, math_copysign},
    {"hypot", {"x", "y"}, math_hypot},
    {"isclose", {"a", "b", "*", "rel_tol=1e-09", "abs_tol=0.0"}, math_isclose},
    {"gcd", {"*integers"}, math_gcd},
    {"comb", {"n", "k"}, math_comb},
    {"perm", {"n", "k=None"}, math_perm},
    {"prod", {"iterable"}, math_prod},
    {"fsum", {"seq"}, math_fsum},
};
static const struct {
    const char *name;
    double number;
} math_constants[] = {{"pi", 3.14159265358979323846},
                      {"e", 2.71828182845904523536},
                      {"tau", 6.28318530717958647693},
                      {"inf", (double)INFINITY},
                      {"nan", (double)NAN}};

/* ---- random: the stream; python/random.py draws from it ---- */

/* init_by_array of Matsumoto and Nishimura, as Python seeds a whole number. */
static void seed_words(struct random *random, const uint32_t *key, size_t n)
{
    uint32_t *s = random->state;
    size_t i = 1, j = 0;
    random_seed(random, 19650218);
    for (size_t k = n > 624 ? n : 624; k > 0; k--) {
        s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1664525U)) + key[j] + (uint32_t)j;
        if (++i >= 624) {
            s[0] = s[623];
            i = 1;
        }
        if (++j >= n)
            j = 0;
    }
    for (size_t k = 623; k > 0; k--) {
        s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1566083941U)) - (uint32_t)i;
        if (++i >= 624) {
            s[0] = s[623];
            i = 1;
        }
    }
    s[0] = 0x80000000U;
    random->next = 624;
}

static struct random *stream(struct machine *m)
{
    if (!m->random_is_seeded) {
        uint32_t key[2] = {(uint32_t)time(NULL), (uint32_t)clock()};
        seed_words(&m->random, key, 2);
        m->random_is_seeded = true;
    }
    return &m->random;
}

FUNCTION(random_seed_)
{
    int64_t whole = 0;
    *ret = value_none();
    c->m->random_is_seeded = false;
    if (c->args[0].kind == VALUE_NONE || c->args[0].kind == VALUE_ABSENT)
        return true;
    if (!value_whole(c->m, c->args[0], &whole))
        return raise_error(c->m, ERROR_TYPE, "seed() takes a whole number here");
    uint64_t u = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
    uint32_t key[2] = {(uint32_t)u, (uint32_t)(u >> 32)};
    seed_words(&c->m->random, key, key[1] != 0 ? 2 : 1);
    c->m->random_is_seeded = true;
    return true;
}

FUNCTION(random_random)
{
    struct random *random = stream(c->m);
    uint32_t a = random_word(random) >> 5, b = random_word(random) >> 6;
    *ret = value_float((a * 67108864.0 + b) * (1.0 / 9007199254740992.0));
    return true;
}

FUNCTION(random_getrandbits)
{
    int64_t k;
    if (!value_whole(c->m, c->args[0], &k))
        return false;
    if (k < 0 || k > 63)
        return raise_error(c->m, ERROR_VALUE, "getrandbits() takes 0 to 63 bits here");
    uint64_t bits = k == 0 ? 0 : random_word(stream(c->m)) >> (k < 32 ? 32 - k : 0);
    if (k > 32)
        bits |= (uint64_t)(random_word(stream(c->m)) >> (64 - k)) << 32;
    *ret = value_int((int64_t)bits);
    return true;
}

/* state(): the words of the stream, and the place of the next one */
FUNCTION(random_state)
{
    const struct random *random = stream(c->m);
    size_t n = COUNT_OF(random->state);
    struct array *list = array_new(&c->m->things, n + 1);
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = array_add(list, value_int(random->state[i]));
    ok = ok && array_add(list, value_int(random->next));
    *ret = value_thing(list);
    if (ok)
        return true;
    value_drop(*ret);
    *ret = value_absent();
    return raise_memory(c->m);
}

/* set_state(words): what state() gave */
FUNCTION(random_set_state)
{
    struct random *random = &c->m->random;
    size_t n = COUNT_OF(random->state);
    int64_t word;
    *ret = value_none();
    if (!value_is(c->args[0], THING_LIST) || THING_AS(array, c->args[0])->n != n + 1)
        return raise_error(c->m, ERROR_TYPE, "this is not a state of a stream");
    for (size_t i = 0; i <= n; i++) {
        if (!value_whole(c->m, THING_AS(array, c->args[0])->items[i], &word))
            return false;
        if (i < n)
            random->state[i] = (uint32_t)word;
        else
            random->next = word < 0 || word > (int64_t)n ? (unsigned)n : (unsigned)word;
    }
    c->m->random_is_seeded = true;
    return true;
}

static const struct native random_rows[] = {
    {"seed", {"a=None"}, random_seed_},
    {"random", {NULL}, random_random},
    {"getrandbits", {"k"}, random_getrandbits},
    {"state", {NULL}, random_state},
    {"set_state", {"words"}, random_set_state},
    M(log),
    M(sqrt),
    M(cos),
    M(sin),
    M(exp),
};

/* ---- time, sys, and others that are read over ---- */

FUNCTION(time_now)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return raise_error(c->m, ERROR_OS, "no clock");
    *ret = value_float((double)now.tv_sec + (double)now.tv_nsec * 1e-9);
    return true;
}

FUNCTION(do_nothing)
{
    *ret = value_none();
    return c->m != NULL;
}

FUNCTION(sys_exit)
{
    struct value error;
    bool has = c->args[0].kind != VALUE_ABSENT;
    (void)ret;
    if (value_make_error(c->m, c->m->errors[ERROR_EXIT], &c->args[0], has, &error))
        raise_value(c->m, error);
    return false;
}

FUNCTION(attn_write)
{
    if (c->args[1].kind != VALUE_STRING)
        return raise_error(c->m, ERROR_TYPE, "write() argument must be str, not %s",
                           value_class_name(c->m, c->args[1]));
    const struct string *text = c->args[1].as.string;
    (c->args[0].as.whole == 2 ? machine_print_error : machine_print)(c->m, text->bytes, text->size);
    *ret = value_int((int64_t)str_length(text));
    return true;
}

FUNCTION(attn_set_class_name)
{
    *ret = value_none();
    if (!value_is(c->args[0], THING_CLASS) || c->args[1].kind != VALUE_STRING)
        return raise_error(c->m, ERROR_TYPE, "set_class_name() takes a class and a name");
    value_put(&THING_AS(class, c->args[0])->name, value_take(c->args[1]));
    return true;
}

/* ---- texts and bytes, for python/builtins.py: a byte is a character of 0 to 255 ---- */

static bool text_of(struct native_call *c, size_t i, const struct string **ret)
{
    if (c->args[i].kind != VALUE_STRING)
        return raise_error(c->m, ERROR_TYPE, "expected str, not %s",
                           value_class_name(c->m, c->args[i]));
    *ret = c->args[i].as.string;
    return true;
}

static void add_latin(struct text *out, unsigned char byte)
{
    if (byte >= 0x80)
        text_char(out, (char)(0xC0 | byte >> 6));
    text_char(out, (char)(byte < 0x80 ? byte : 0x80 | (byte & 0x3F)));
}

/* utf8(text): its bytes */
FUNCTION(attn_utf8)
{
    const struct string *s = NULL;
    struct text out = {0};
    if (!text_of(c, 0, &s))
        return false;
    for (size_t i = 0; i < s->size; i++)
        add_latin(&out, (unsigned char)s->bytes[i]);
    return text_to_str(c->m, &out, ret);
}

/* How many of the n bytes are one character of UTF-8; 0: the first *ret_bad of them are not. */
static size_t character_size(const unsigned char *bytes, size_t n, size_t *ret_bad,
                             const char **ret_why)
{
    unsigned char first = bytes[0];
    size_t size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    *ret_bad = 1;
    *ret_why = "invalid start byte";
    if (first > 0xF4)
        return 0;
    for (size_t i = 1; i < size; i++) {
        unsigned char low = 0x80, high = 0xBF;
        if (i == 1) {
            low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
            high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        }
        *ret_bad = i;
        *ret_why = i < n ? "invalid continuation byte" : "unexpected end of data";
        if (i >= n || bytes[i] < low || bytes[i] > high)
            return 0;
    }
    return size;
}

/* text(bytes, errors): the text that they are in UTF-8 */
FUNCTION(attn_text)
{
    const struct string *s = NULL, *errors = NULL;
    struct text bytes = {0}, out = {0};
    if (!text_of(c, 0, &s) || !text_of(c, 1, &errors))
        return false;
    bool replaces = strcmp(errors->bytes, "replace") == 0, ok = true;
    for (size_t i = 0; i < s->size; i++) {
        unsigned char first = (unsigned char)s->bytes[i];
        if (first >= 0xC4) {
            ok = raise_error(c->m, ERROR_VALUE, "a byte is a number from 0 to 255");
            break;
        }
        text_char(&bytes, first < 0x80
                              ? (char)first
                              : (char)((first & 3) << 6 | ((unsigned char)s->bytes[++i] & 0x3F)));
    }
    for (size_t i = 0, bad; ok && i < bytes.size;) {
        const char *why;
        size_t size =
            character_size((const unsigned char *)bytes.bytes + i, bytes.size - i, &bad, &why);
        text_add(&out, bytes.bytes + i, size);
        i += size;
        if (size > 0)
            continue;
        if (strcmp(errors->bytes, "strict") == 0) {
            if (bad == 1)
                raise_error(c->m, ERROR_UNICODE_DECODE,
                            "'utf-8' codec can't decode byte 0x%02x in position %zu: %s",
                            (unsigned char)bytes.bytes[i], i, why);
            else
                raise_error(c->m, ERROR_UNICODE_DECODE,
                            "'utf-8' codec can't decode bytes in position %zu-%zu: %s", i,
                            i + bad - 1, why);
            ok = false;
        } else if (replaces) {
            text_put(&out, "\xEF\xBF\xBD");
        }
        i += bad;
    }
    text_release(&bytes);
    if (ok)
        return text_to_str(c->m, &out, ret);
    text_release(&out);
    return false;
}

/* ---- files ---- */

/* False where the name leads out of the folder of the cell. */
static bool stays_beside(const char *name)
{
    if (name[0] == '/' || name[0] == '\0')
        return false;
    for (const char *at = name; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0'))
            return false;
    }
    return true;
}

static bool read_file(struct machine *m, const char *name, bool asks, struct text *ret)
{
    struct error error = {0};
    if (m->options.read == NULL)
        return raise_error(m, ERROR_PERMISSION, "a cell opens no files here; see attn run");
    if (!stays_beside(name))
        return raise_error(
            m, ERROR_PERMISSION,
            "[Errno 13] Permission denied: '%s' (a cell reads files beside it alone)", name);
    if (!m->options.read(m->options.context, name, ret, &error))
        return raise_error(m, ERROR_FILE_NOT_FOUND, "[Errno 2] No such file or directory: '%s'",
                           name);
    if (!asks && m->options.note != NULL) {
        struct text said = {0};
        text_format(&said, "attn: open: the cell reads %s", name);
        m->options.note(m->options.context, text_string(&said));
        text_release(&said);
    }
    return true;
}

/* read(name): the bytes of a file beside the cell */
FUNCTION(attn_read)
{
    const struct string *name = NULL;
    struct text file = {0}, out = {0};
    bool ok = text_of(c, 0, &name) && read_file(c->m, name->bytes, false, &file);
    for (size_t i = 0; ok && i < file.size; i++)
        add_latin(&out, (unsigned char)file.bytes[i]);
    text_release(&file);
    return ok && text_to_str(c->m, &out, ret);
}

/* exists(name) */
FUNCTION(attn_exists)
{
    const struct string *name = NULL;
    struct text file = {0};
    if (!text_of(c, 0, &name))
        return false;
    *ret = value_bool(read_file(c->m, name->bytes, true, &file));
    raised_clear(c->m);
    text_release(&file);
    return true;
}

/* ---- names ---- */

static bool add_names(struct array *list, const struct table *table)
{
    for (size_t i = 0; table != NULL && i < table->n_entries; i++)
        if (table->entries[i].key.kind == VALUE_STRING &&
            !array_add(list, value_take(table->entries[i].key)))
            return false;
    return true;
}

/* names(x): of the attributes of a module, a class or an instance, some of them twice */
FUNCTION(attn_names)
{
    struct value v = c->args[0];
    struct array *list = array_new(&c->m->things, 16);
    const struct class *class = value_is(v, THING_CLASS) ? THING_AS(class, v) : class_of(c->m, v);
    bool ok = list != NULL;
    if (ok && value_is(v, THING_MODULE)) {
        ok = add_names(list, THING_AS(module, v)->attributes);
    } else {
        if (ok && value_is(v, THING_INSTANCE))
            ok = add_names(list, THING_AS(instance, v)->attributes);
        for (size_t i = 0; ok && i < class->order->n; i++)
            ok = add_names(list, THING_AS(class, class->order->items[i])->attributes);
    }
    *ret = value_thing(list);
    return ok || raise_memory(c->m);
}

static const struct native time_rows[] = {
    {"time", {NULL}, time_now},         {"perf_counter", {NULL}, time_now},
    {"monotonic", {NULL}, time_now},    {"process_time", {NULL}, time_now},
    {"sleep", {"seconds"}, do_nothing},
};
/* warn(category, text) */
FUNCTION(attn_warn)
{
    *ret = value_none();
    if (c->args[0].kind != VALUE_STRING || c->args[1].kind != VALUE_STRING)
        return raise_error(c->m, ERROR_TYPE, "warn() takes two texts");
    machine_warn(c->m, c->args[0].as.string->bytes, c->args[1].as.string->bytes);
    return true;
}

/* quiet(yes): whether warnings were quiet before */
FUNCTION(attn_quiet)
{
    bool before = c->m->warnings.is_quiet;
    if (!value_truth(c->m, c->args[0], &c->m->warnings.is_quiet))
        return false;
    *ret = value_bool(before);
    return true;
}

/* digest("sha256", [bytes]): in hexadecimal digits */
FUNCTION(attn_digest)
{
    unsigned char hash[crypto_hash_sha512_BYTES];
    char digits[2 * sizeof hash + 1];
    int64_t byte;
    if (c->args[0].kind != VALUE_STRING || !value_is(c->args[1], THING_LIST))
        return raise_error(c->m, ERROR_TYPE, "digest() takes a name and a list of bytes");
    const struct array *list = THING_AS(array, c->args[1]);
    bool is_long = strcmp(c->args[0].as.string->bytes, "sha512") == 0;
    size_t size = is_long ? crypto_hash_sha512_BYTES : crypto_hash_sha256_BYTES;
    unsigned char *bytes = malloc(list->n + 1);
    if (bytes == NULL)
        return raise_memory(c->m);
    for (size_t i = 0; i < list->n; i++) {
        if (!value_whole(c->m, list->items[i], &byte)) {
            free(bytes);
            return false;
        }
        bytes[i] = (unsigned char)byte;
    }
    if (is_long)
        crypto_hash_sha512(hash, bytes, list->n);
    else
        crypto_hash_sha256(hash, bytes, list->n);
    free(bytes);
    sodium_bin2hex(digits, sizeof digits, hash, size);
    return make_str(c->m, digits, 2 * size, ret);
}

static const struct native attn_rows[] = {
    {"find", {"pattern", "text", "start", "flags", "how"}, pattern_find},
    {"set_class_name", {"cls", "name"}, attn_set_class_name},
    {"write", {"to", "text"}, attn_write},
    {"utf8", {"text"}, attn_utf8},
    {"text", {"bytes", "errors"}, attn_text},
    {"read", {"name"}, attn_read},
    {"exists", {"name"}, attn_exists},
    {"names", {"of"}, attn_names},
    {"digest", {"name", "bytes"}, attn_digest},
    {"warn", {"category", "text"}, attn_warn},
    {"quiet", {"yes"}, attn_quiet},
    {"exit", {"status="}, sys_exit},
};

static const struct own_module {
    const char *name;
    const struct native *rows;
    size_t n;
} own_modules[] = {
    {"math", math_rows, COUNT_OF(math_rows)},
    {"_random", random_rows, COUNT_OF(random_rows)},
    {"time", time_rows, COUNT_OF(time_rows)},
    {"_attn", attn_rows, COUNT_OF(attn_rows)},
    {"_torch", NULL, 0},
    {"_numpy", NULL, 0},
    {"_torch_functional", NULL, 0},
    {"__future__", NULL, 0},
};

/* ---- import ---- */

/* The module that attn has and whose part this is; or NULL. */
static const struct module *outer_module(struct machine *m, const char *name, const char *dot)
{
    struct string *outer = dot ? intern(m, name, (size_t)(dot - name)) : NULL;
    const struct entry *entry = outer ? table_find_name(m->modules, outer) : NULL;
    return entry != NULL && !THING_AS(module, entry->value)->is_missing
               ? THING_AS(module, entry->value)
               : NULL;
}

bool raise_missing_module(struct machine *m, const char *name)
{
    const char *dot = strrchr(name, '.');
    const struct module *outer = outer_module(m, name, dot);
    if (outer != NULL)
        return raise_lack(m, ERROR_IMPORT,
                          "attn has no '%s' in its module '%s'; the lines that do not use it run "
                          "without it",
                          dot + 1, outer->name.as.string->bytes);
    return raise_lack(m, ERROR_MODULE,
                      "No module named '%s' in attn; the lines that do not use it run without it",
                      name);
}

static struct module *new_module(struct machine *m, const char *name, size_t size)
{
    struct module *module = thing_new(&m->things, THING_MODULE, 0);
    struct string *interned = intern(m, name, size);
    if (module == NULL || interned == NULL ||
        (module->attributes = table_new(&m->things, THING_DICT)) == NULL ||
        !table_put_name(m->modules, interned, value_take(value_thing(module)))) {
        raise_memory(m);
        return NULL;
    }
    module->name = value_take((struct value){.kind = VALUE_STRING, .as.string = interned});
    return module;
}

static bool put(struct machine *m, struct module *module, const char *name, struct value v)
{
    struct string *interned = intern(m, name, strlen(name));
    return interned != NULL && table_put_name(module->attributes, interned, v);
}

/* The rows of torch.nn.functional, which _torch keeps. */
static bool fill_functional(struct machine *m, struct module *module)
{
    struct value torch, rows;
    struct string *name = intern(m, "_functional", 11);
    if (name == NULL || !module_import(m, "_torch", 6, &torch))
        return false;
    bool ok = attribute_get(m, torch, name, &rows);
    value_drop(torch);
    if (!ok)
        return false;
    value_drop(value_thing(module->attributes));
    module->attributes = THING_AS(table, rows);
    return true;
}

static bool fill_module(struct machine *m, struct module *module, const struct own_module *own)
{
    for (size_t i = 0; i < own->n; i++)
        if (!add_native(m, module->attributes, &own->rows[i]))
            return false;
    if (own->rows == math_rows)
        for (size_t i = 0; i < COUNT_OF(math_constants); i++)
            if (!put(m, module, math_constants[i].name, value_float(math_constants[i].number)))
                return false;
    if (strcmp(own->name, "_torch") == 0)
        return torch_fill(m, module);
    if (strcmp(own->name, "_numpy") == 0)
        return numpy_fill(m, module);
    if (strcmp(own->name, "_torch_functional") == 0)
        return fill_functional(m, module);
    if (strcmp(own->name, "__future__") == 0)
        return put(m, module, "annotations", value_none()) &&
               put(m, module, "division", value_none());
    return true;
}

/* Runs a module that is written in Python; its globals, which begin with its name and a dot, become
 * its attributes. */
static bool run_module(struct machine *m, struct module *module, const struct python_module *python)
{
    size_t size = strlen(python->name);
    if (!machine_run_module(m, python->name, python->source))
        return false;
    for (size_t i = 0; i < m->global_places->n_entries; i++) {
        const struct entry *entry = &m->global_places->entries[i];
        const struct string *name = entry->key.as.string;
        struct value v = m->globals[entry->value.as.whole];
        if (name->size > size + 1 && name->bytes[size] == '.' &&
            memcmp(name->bytes, python->name, size) == 0 && v.kind != VALUE_ABSENT &&
            strchr(name->bytes + size + 1, '.') == NULL &&
            !put(m, module, name->bytes + size + 1, value_take(v)))
            return false;
    }
    return true;
}

/* torch.nn becomes the attribute nn of torch. */
static bool put_into_outer(struct machine *m, struct module *module, const char *name, size_t size)
{
    size_t at = size;
    struct value outer;
    while (at > 0 && name[at - 1] != '.')
        at--;
    if (at == 0)
        return true;
    if (!module_import(m, name, at - 1, &outer))
        return false;
    bool ok = put(m, THING_AS(module, outer), name + at, value_take(value_thing(module)));
    value_drop(outer);
    return ok;
}

bool module_import(struct machine *m, const char *name, size_t size, struct value *ret)
{
    struct string *interned = intern(m, name, size);
    struct entry *entry = interned ? table_find_name(m->modules, interned) : NULL;
    if (entry != NULL) {
        *ret = value_take(entry->value);
        return true;
    }
    struct module *module = interned ? new_module(m, name, size) : NULL;
    if (module == NULL)
        return false;
    *ret = value_thing(module);
    for (size_t i = 0; i < COUNT_OF(own_modules); i++)
        if (text_equals(name, size, own_modules[i].name))
            return fill_module(m, module, &own_modules[i]) || raise_memory(m);
    for (size_t i = 0; i < COUNT_OF(python_modules); i++)
        if (text_equals(name, size, python_modules[i].name)) {
            if (run_module(m, module, &python_modules[i]) && put_into_outer(m, module, name, size))
                return true;
            value_drop(*ret);
            return false;
        }
    module->is_missing = true;
    return true;
}
