/* Arrays that a program wrote, against the formula that they should follow: see verify.h.
 *
 * A reading gives each array a role (roles_internal.h) and settles what the file does not say: the
 * number of heads, a causal mask, which way round the matrices and the mask are. The reading under
 * which most results are right is the one that is reported; if a result is wrong under all of them,
 * those are asked for a mistake, the likeliest first. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tensor/random.h"
#include "graph/node.h"
#include "show/number.h"
#include "verify/difference_internal.h"
#include "verify/question_internal.h"
#include "verify/roles_internal.h"
#include "verify/verify.h"
#include "verify/verify_internal.h"

enum {
    MOST_RESULTS = 24,
    MOST_READINGS = 20000,
    MOST_EMPTY = 2, /* readings of a casting without results, before it is given up */
    COST_MORE = 8,  /* than the likeliest casting, of others that are tried */
    MOST_ASKED = 8, /* readings that are asked for a mistake */
    MOST_ASKED_PAIRS = 1,
    PAIR_STEPS = 12000,
    HALF_BITS = 16,
};

/* What numbers may be off by, as a share of the largest; and more for each unit of the largest
 * score, whose last digit softmax turns into a share of the weights. Numbers of 16 bits keep a
 * thousandth of these digits. */
static const double TOLERANCE = 1e-5, SCORE_TOLERANCE = 1e-6, SCORE_MAX = 1000, HALF = 300;

/* Multiplications that all readings may take, and about how many each number of the file brings. */
static const double READING_MAX_WORK = 2e9, READING_WORK = 2e6, WORK_OF_NUMBER = 64;
/* Multiplications that the search for a mistake may take in all readings. */
static const double SEARCH_MAX_WORK = 5e9;

struct reading {
    const struct casting *casting;
    unsigned flags;   /* of the reference, a bit each */
    size_t n_heads;   /* 0: the reference has none */
    bool mask_turned; /* True hides */
    bool guessed_heads;
    unsigned n_results, n_right; /* found in it; right */
    double wrong;                /* the share of wrong numbers in the first wrong result */
};

/* How programs keep the value of a step; of_heads: only where there are some. */
static const struct layout {
    const char *before, *after;
    bool of_heads;
} layouts[] = {{"", "", false},
               {"", ".transpose(-3, -2)", false},
               {"merge_heads(", ")", true},
               {"split_heads(", ", n_heads)", true},
               {"split_heads(", ", n_heads).transpose(-3, -2)", true},
               {"mean(", ", dim=-3)", true}};

/* An array that is the value of a step, in one of the layouts that programs keep it in. */
struct result {
    size_t array;
    unsigned row; /* of reference->results */
    const struct layout *layout;
    struct tensor want, got; /* owned: in the array's layout, without axes of 1 before them */
    double tolerance;
    bool is_right, fits; /* fits: it has the shape */
    bool is_from_wrong;  /* want follows from wrong results before it */
};

struct results {
    struct result items[MOST_RESULTS];
    unsigned n;
};

struct dump {
    const struct arrays *arrays;
    const struct verify_dump *given;
    const struct verify_options *options;
    struct role_given *roles; /* [given->n_roles] */
    bool *known;              /* by array: does some formula know its name? */
    struct references references;
    struct castings *castings; /* [references.n] */
    struct reading *readings;  /* [n_readings] */
    size_t n_readings;
    struct edits edits;
    double work_left; /* multiplications that the search for mistakes may still take */
    struct error *reterr;
};

/* ---- matrices that are kept as one ---- */

/* Names of the query's, key's and value's matrices in one, one below or beside the other. */
static const struct packed {
    const char *name;
    const char *parts[3];
} packed[] = {
    {"in_proj_weight", {"w_q", "w_k", "w_v"}},  {"in_proj_bias", {"b_q", "b_k", "b_v"}},
    {"c_attn_weight", {"w_q", "w_k", "w_v"}},   {"c_attn_bias", {"b_q", "b_k", "b_v"}},
    {"qkv_weight", {"w_q", "w_k", "w_v"}},      {"qkv_bias", {"b_q", "b_k", "b_v"}},
    {"qkv_proj_weight", {"w_q", "w_k", "w_v"}}, {"qkv_proj_bias", {"b_q", "b_k", "b_v"}},
    {"w_qkv", {"w_q", "w_k", "w_v"}},           {"b_qkv", {"b_q", "b_k", "b_v"}},
    {"w_qkv_weight", {"w_q", "w_k", "w_v"}},    {"to_qkv_weight", {"w_q", "w_k", "w_v"}},
};

/* The axis along which three parts lie; x->n_axes: none. */
static unsigned packed_axis(const struct tensor *x)
{
    if (x->n_axes == 1 && x->shape[0] % 3 == 0)
        return 0;
    if (x->n_axes != 2)
        return x->n_axes;
    return x->shape[0] == 3 * x->shape[1]   ? 0
           : x->shape[1] == 3 * x->shape[0] ? 1
           : x->shape[0] % 3 == 0           ? 0
           : x->shape[1] % 3 == 0           ? 1
                                            : x->n_axes;
}

/* Adds the three parts of an array to *ret. */
static bool add_parts(const struct named_array *array, const struct packed *names, unsigned axis,
                      struct arrays *ret, struct error *reterr)
{
    size_t n = array->numbers.shape[axis] / 3;
    for (size_t i = 0; i < 3; i++) {
        struct text name = {0};
        struct named_array *part = &ret->items[ret->n];
        text_format(&name, "%s_%s", array->name, names->parts[i]);
        part->name = strdup(text_string(&name));
        part->bits = array->bits;
        bool ok = !name.failed && part->name != NULL;
        text_release(&name);
        if (!ok)
            return error_memory(reterr, "an array");
        ret->n++;
        if (!tensor_slice(&array->numbers, axis, i * n, n, 1, &part->numbers, reterr))
            return false;
    }
    return true;
}

/* The arrays that hold numbers, with packed matrices taken apart: NAME_w_q and so on. Release
 * *ret. */
static bool unpack(const struct arrays *arrays, struct arrays *ret, struct error *reterr)
{
    enum { PARTS = 3 };
    ret->n = 0;
    ret->items = calloc(PARTS * arrays->n + 1, sizeof *ret->items);
    if (ret->items == NULL)
        return error_memory(reterr, "arrays");
    for (size_t i = 0; i < arrays->n; i++) {
        const struct named_array *array = &arrays->items[i];
        if (tensor_size(&array->numbers) == 0)
            continue;
        const struct packed *found = NULL;
        char plain[ROLES_NAME_BYTES];
        unsigned axis = packed_axis(&array->numbers);
        roles_plain_name(array->name, plain);
        for (size_t k = 0; k < COUNT_OF(packed) && found == NULL; k++) {
            char *one = (char *)(uintptr_t)packed[k].name;
            const struct reference_names names = {&one, 1};
            found = roles_name_fits(&names, plain) ? &packed[k] : NULL;
        }
        if (found != NULL && axis < array->numbers.n_axes) {
            if (!add_parts(array, found, axis, ret, reterr))
                return false;
            continue;
        }
        struct named_array *copy = &ret->items[ret->n];
        copy->name = strdup(array->name);
        if (copy->name == NULL)
            return error_memory(reterr, "an array");
        copy->numbers = tensor_share(&array->numbers);
        copy->bits = array->bits;
        ret->n++;
    }
    return true;
}

/* ---- the formula of a reading ---- */

/* A flag may stand with a word, FLAG:WORD, that the name of an input must have. */
static bool is_flag(const char *flag, const char *name)
{
    size_t size = strcspn(flag, ":");
    return strlen(name) == size && memcmp(flag, name, size) == 0;
}

static bool has_flag(const struct reading *reading, const char *name)
{
    const struct reference_names *flags = &reading->casting->reference->flags;
    for (unsigned i = 0; i < flags->n; i++)
        if (is_flag(flags->items[i], name))
            return reading->flags >> i & 1;
    return false;
}

static bool inputs_have_word(const struct dump *dump, const struct casting *casting,
                             const char *word)
{
    for (unsigned i = 0; i < casting->reference->n_roles; i++) {
        char plain[ROLES_NAME_BYTES];
        if (casting->array_of[i] < 0)
            continue;
        roles_plain_name(dump->arrays->items[casting->array_of[i]].name, plain);
        if (strstr(plain, word) != NULL)
            return true;
    }
    return false;
}

/* May these flags be set together? */
static bool flags_fit(const struct dump *dump, const struct reading *reading)
{
    const struct reference_names *flags = &reading->casting->reference->flags;
    for (unsigned i = 0; i < flags->n; i++) {
        const char *word = strchr(flags->items[i], ':');
        if ((reading->flags >> i & 1) && word != NULL &&
            !inputs_have_word(dump, reading->casting, word + 1))
            return false;
    }
    return !has_flag(reading, "pairs") || has_flag(reading, "rotated");
}

static const struct tensor *array_of_role(const struct dump *dump, const struct reading *reading,
                                          const char *name)
{
    const struct reference *reference = reading->casting->reference;
    for (unsigned i = 0; i < reference->n_roles; i++)
        if (strcmp(reference->roles[i].name, name) == 0 && reading->casting->array_of[i] >= 0)
            return &dump->arrays->items[reading->casting->array_of[i]].numbers;
    return NULL;
}

/* A mask of -inf and 0, or of 1 and 0, hides; another one is added. */
static bool mask_hides(const struct tensor *mask)
{
    if (mask->is_bool)
        return true;
    bool ones = false, large = false;
    for (size_t i = 0, n = tensor_size(mask); i < n; i++) {
        float number = tensor_at_position(mask, i);
        ones = ones || number == 1;
        large = large || number <= -1e4F;
        if (number != 0 && number != 1 && number > -1e4F)
            return false;
    }
    return ones != large;
}

/* True where the mask lets a query attend. */
static bool mask_as_bool(const struct tensor *mask, bool turned, struct tensor *ret,
                         struct error *reterr)
{
    if (!tensor_copy(mask, ret, reterr))
        return false;
    bool added = false;
    for (size_t i = 0, n = tensor_size(mask); i < n; i++)
        added = added || tensor_at_position(mask, i) < 0;
    for (size_t i = 0, n = tensor_size(mask); i < n; i++) {
        bool visible = added ? ret->data[i] == 0 : ret->data[i] != 0;
        ret->data[i] = visible != turned ? 1 : 0;
    }
    ret->is_bool = true;
    return true;
}

/* Is this word a name that the formula of the reading has before its first step? */
static bool is_there(const struct dump *dump, const struct reading *reading, const char *word)
{
    const struct tensor *mask = array_of_role(dump, reading, "mask");
    bool hides = mask != NULL && mask_hides(mask);
    if (strcmp(word, "hides") == 0)
        return hides;
    if (strcmp(word, "bias") == 0 && reading->casting->reference->flags.n > 0 && mask != NULL)
        return !hides;
    if (strcmp(word, "masked") == 0)
        return mask != NULL || has_flag(reading, "causal");
    if (strcmp(word, "grouped") == 0)
        return casting_size(reading->casting, "d_keys") != casting_size(reading->casting, "d_attn");
    if (strcmp(word, "scale") == 0 && dump->given->has_scale)
        return true;
    return array_of_role(dump, reading, word) != NULL || has_flag(reading, word);
}

static bool step_counts(const struct dump *dump, const struct reading *reading,
                        const struct reference_step *step)
{
    for (unsigned i = 0; i < step->with.n; i++)
        if (!is_there(dump, reading, step->with.items[i]))
            return false;
    for (unsigned i = 0; i < step->without.n; i++)
        if (is_there(dump, reading, step->without.items[i]))
            return false;
    return true;
}

static bool bind_role(const struct dump *dump, const struct reading *reading, unsigned at,
                      struct question *question)
{
    const struct reference_role *role = &reading->casting->reference->roles[at];
    const struct tensor *x = &dump->arrays->items[reading->casting->array_of[at]].numbers;
    struct tensor bound;
    switch (role->kind) {
    case ROLE_SIZE:
        return true; /* n_heads is bound as a size */
    case ROLE_NUMBER:
        return question_bind_number(question, role->name, false, (double)tensor_at_position(x, 0));
    case ROLE_MASK:
        if (!mask_hides(x))
            return question_bind_tensor(question, "bias", x);
        return mask_as_bool(x, reading->mask_turned, &bound, question->reterr) &&
               question_bind(question, role->name, false, &bound);
    case ROLE_ARRAY:
    case ROLE_WHOLE:
        break;
    }
    bound = role->turns && reading->casting->turned ? tensor_transpose(x, 0, 1) : tensor_share(x);
    return question_bind(question, role->name, false, &bound);
}

static bool bind_sizes(const struct reading *reading, struct question *question)
{
    const struct casting *casting = reading->casting;
    bool ok = true;
    for (unsigned i = 0; ok && i < casting->n_sizes; i++) {
        const struct role_size *size = &casting->sizes[i];
        char *copy = arena_copy(&question->arena, size->name, size->name_size);
        ok = copy != NULL ? question_bind_number(question, copy, true, (double)size->size)
                          : error_memory(question->reterr, "a size");
    }
    if (ok && reading->n_heads > 0)
        ok = question_bind_number(question, "n_heads", true, (double)reading->n_heads);
    if (ok && casting_size(casting, "n_q") > 0 && casting_size(casting, "n_k") == 0)
        ok = question_bind_number(question, "n_k", true, (double)casting_size(casting, "n_q"));
    return ok;
}

/* n_all is the number of rows along all leading axes. */
static bool bind_all(const struct reading *reading, struct question *question)
{
    double n = 1;
    for (unsigned i = 0; i < reading->casting->n_lead; i++)
        n *= (double)reading->casting->lead[i];
    return reading->casting->n_lead == 0 || question_bind_number(question, "n_all", true, n);
}

/* A step whose value stands in the file: the steps after it start from that. */
struct given_step {
    const char *name;
    const struct tensor *value;
};

/* Does the expression use this name? */
static bool uses_name(const char *expression, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = expression; (at = strstr(at, name)) != NULL; at += size) {
        char before = at > expression ? at[-1] : ' ', after = at[size];
        bool begins = !(before == '_' || (before >= '0' && before <= '9') ||
                        (before >= 'a' && before <= 'z') || before == '.');
        bool ends =
            !(after == '_' || (after >= '0' && after <= '9') || (after >= 'a' && after <= 'z'));
        if (begins && ends)
            return true;
    }
    return false;
}

/* Which steps lead to the target (all: NULL), from the given ones on? */
static void choose_steps(const struct dump *dump, const struct reading *reading, const char *target,
                         const struct given_step *given, size_t n_given, bool *chosen)
{
    const struct reference *reference = reading->casting->reference;
    for (unsigned i = 0; i < reference->n_steps; i++)
        chosen[i] = target == NULL && step_counts(dump, reading, &reference->steps[i]);
    for (unsigned i = reference->n_steps; target != NULL && i-- > 0;) {
        const struct reference_step *step = &reference->steps[i];
        char name[ROLES_NAME_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(step->step, " "), step->step);
        if (!step_counts(dump, reading, step))
            continue;
        chosen[i] = uses_name(target, name);
        for (unsigned j = i + 1; !chosen[i] && j < reference->n_steps; j++)
            chosen[i] = chosen[j] && uses_name(strchr(reference->steps[j].step, '='), name);
        for (size_t k = 0; k < n_given; k++)
            if (strcmp(given[k].name, name) == 0)
                chosen[i] = false;
    }
}

/* The formula in a question. False where its shapes do not fit, or for a failure of attn's own. */
static bool build(const struct dump *dump, const struct reading *reading, const char *target,
                  const struct given_step *given, size_t n_given, struct question *question)
{
    const struct reference *reference = reading->casting->reference;
    bool chosen[QUESTION_MAX_STEPS * 2];
    bool ok = true;
    choose_steps(dump, reading, target, given, n_given, chosen);
    for (unsigned i = 0; ok && i < reference->n_roles; i++)
        if (reading->casting->array_of[i] >= 0)
            ok = bind_role(dump, reading, i, question);
    if (ok && dump->given->has_scale && array_of_role(dump, reading, "scale") == NULL)
        ok = question_bind_number(question, "scale", false, dump->given->scale);
    ok = ok && bind_sizes(reading, question) && bind_all(reading, question);
    for (size_t i = 0; ok && i < n_given; i++)
        ok = question_bind_tensor(question, given[i].name, given[i].value);
    for (unsigned i = 0; ok && i < reference->n_steps; i++)
        if (chosen[i])
            ok = question_step(question, reference->steps[i].is_size, reference->steps[i].step);
    return ok;
}

static bool is_cast(const struct casting *casting, size_t array)
{
    for (unsigned i = 0; i < casting->reference->n_roles; i++)
        if (casting->array_of[i] == (int)array)
            return true;
    return false;
}

/* ---- results ---- */

/* The same numbers without axes of 1 before the others. */
static bool strip(const struct tensor *x, struct tensor *ret, struct error *reterr)
{
    unsigned n_ones = 0;
    while (n_ones < x->n_axes && x->shape[n_ones] == 1)
        n_ones++;
    return tensor_reshape(x, x->n_axes - n_ones, x->shape + n_ones, ret, reterr);
}

static void release_results(struct results *results)
{
    for (unsigned i = 0; i < results->n; i++) {
        tensor_release(&results->items[i].want);
        tensor_release(&results->items[i].got);
    }
    results->n = 0;
}

/* What the value of a step may be off by. */
static double tolerance_of(const struct reference *reference, const struct question *question,
                           const struct tensor *want, unsigned bits)
{
    const struct tensor *scaled = question_value(question, "scaled");
    double score = 0, largest = 0;
    for (size_t i = 0, n = tensor_size(want); i < n; i++)
        if (isfinite(tensor_at_position(want, i)) && tensor_at_position(want, i) > -1e4F)
            largest = fmax(largest, fabs((double)tensor_at_position(want, i)));
    if (scaled != NULL)
        score = fmin(verify_largest(scaled), SCORE_MAX);
    double share = reference->tolerance > 0 ? reference->tolerance : TOLERANCE;
    return (share + SCORE_TOLERANCE * score) * (bits <= HALF_BITS ? HALF : 1) *
           fmax(largest, 1e-30);
}

static void write_target(const struct reference_result *row, const struct layout *layout,
                         struct text *out)
{
    text_format(out, "%s%s%s", layout->before, row->step, layout->after);
}

/* Compares an array with a step in a layout. *ret->fits is false where the shapes differ. */
static bool compare_layout(const struct dump *dump, const struct reference *reference,
                           struct question *question, size_t array, unsigned row,
                           const struct layout *layout, struct result *ret)
{
    struct text target = {0};
    struct value value = {.kind = VALUE_ABSENT};
    struct error error = {.kind = ERR_NONE};
    const struct named_array *item = &dump->arrays->items[array];
    *ret = (struct result){.array = array, .row = row, .layout = layout};
    write_target(&reference->results[row], layout, &target);
    bool ok = (!target.failed || error_memory(&error, "a step")) &&
              session_peek(&question->session, NULL, text_string(&target), &value, &error);
    text_release(&target);
    if (!ok)
        return !error_is_stop(&error) || ((*dump->reterr = error), false);
    if (value.kind == VALUE_NODE) {
        ok = strip(&value.as.node->value, &ret->want, dump->reterr) &&
             strip(&item->numbers, &ret->got, dump->reterr);
        ret->fits = ok && tensor_same_shape(&ret->want, &ret->got);
        if (ret->fits) {
            ret->tolerance = tolerance_of(reference, question, &ret->want, item->bits);
            ret->is_right = difference_of(&ret->got, &ret->want, ret->tolerance).n_wrong == 0;
        }
    }
    value_release(&value);
    return ok;
}

/* How well a step goes by this name: 0 if the name is the first of its list. */
static unsigned rank_of(const struct reference_result *result, const char *plain)
{
    unsigned rank = 0;
    while (rank < result->names.n) {
        const struct reference_names one = {&result->names.items[rank], 1};
        if (roles_name_fits(&one, plain))
            break;
        rank++;
    }
    return rank;
}

/* The step that an array is the value of: one that it equals; else the one that goes best by its
 * name, of those that have its shape; else none. */
static bool find_result(const struct dump *dump, const struct reading *reading,
                        struct question *question, size_t array, bool named, struct result *ret)
{
    const struct reference *reference = reading->casting->reference;
    char plain[ROLES_NAME_BYTES];
    unsigned best = UINT_MAX;
    roles_plain_name(dump->arrays->items[array].name, plain);
    *ret = (struct result){.array = array};
    for (unsigned row = 0; row < reference->n_results && !ret->is_right; row++) {
        const struct reference_result *result = &reference->results[row];
        if ((named && !roles_name_fits(&result->names, plain)) ||
            question_value(question, result->step) == NULL)
            continue;
        for (size_t i = 0; i < COUNT_OF(layouts) && !ret->is_right; i++) {
            struct result tried;
            if (layouts[i].of_heads && reading->n_heads == 0)
                continue;
            if (!compare_layout(dump, reference, question, array, row, &layouts[i], &tried))
                return false;
            unsigned rank = rank_of(result, plain);
            if ((tried.fits && rank < best) || tried.is_right) {
                tensor_release(&ret->want);
                tensor_release(&ret->got);
                *ret = tried;
                best = rank;
            } else {
                tensor_release(&tried.want);
                tensor_release(&tried.got);
            }
        }
    }
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    const struct result *left = a, *right = b;
    return left->row != right->row ? (left->row > right->row) - (left->row < right->row)
                                   : (left->array > right->array) - (left->array < right->array);
}

static double share_of_wrong(const struct results *results)
{
    for (unsigned i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        if (!result->is_right) {
            struct difference off = difference_of(&result->got, &result->want, result->tolerance);
            return (double)off.n_wrong / (double)off.n;
        }
    }
    return 0;
}

/* Finds the results among the arrays, in the order of the formula; the caller releases them. A
 * reading whose shapes do not fit has none. */
static bool find_results(const struct dump *dump, struct reading *reading, struct results *ret)
{
    const struct reference *reference = reading->casting->reference;
    struct question question;
    struct error error = {.kind = ERR_NONE};
    *ret = (struct results){.n = 0};
    reading->n_results = reading->n_right = 0;
    question_init(&question, dump->options->stop, &error);
    bool ok = true;
    if (!build(dump, reading, NULL, NULL, 0, &question)) {
        ok = !error_is_stop(&error) || ((*dump->reterr = error), false);
        question_release(&question);
        return ok;
    }
    for (size_t i = 0; ok && i < dump->arrays->n && ret->n < MOST_RESULTS; i++) {
        char plain[ROLES_NAME_BYTES];
        roles_plain_name(dump->arrays->items[i].name, plain);
        bool named = roles_name_is_known(reference, plain);
        struct result *result = &ret->items[ret->n];
        if (is_cast(reading->casting, i) || (dump->known[i] && !named) ||
            (!named && tensor_size(&dump->arrays->items[i].numbers) == 1))
            continue; /* a single number fits by chance */
        ok = find_result(dump, reading, &question, i, named, result);
        if (ok && named && !result->fits && !roles_name_is_input(reference, plain) &&
            tensor_size(&dump->arrays->items[i].numbers) > 1)
            ok = find_result(dump, reading, &question, i, false, result);
        if (ok && result->fits) {
            ret->n++;
            reading->n_right += result->is_right;
        }
    }
    reading->n_results = ret->n;
    if (ret->n > 1)
        qsort(ret->items, ret->n, sizeof *ret->items, compare_rows);
    reading->wrong = share_of_wrong(ret);
    question_release(&question);
    if (!ok)
        release_results(ret);
    return ok;
}

/* ---- readings ---- */

static bool has_role_of_kind(const struct reference *reference, enum role_kind kind)
{
    for (unsigned i = 0; i < reference->n_roles; i++)
        if (reference->roles[i].kind == kind)
            return true;
    return false;
}

/* The heads of an array (..., heads, n_q, n_k) that has no role; 0 if there is no such array. */
static size_t heads_of_weights(const struct dump *dump, const struct casting *casting)
{
    size_t n_q = casting_size(casting, "n_q"), n_k = casting_size(casting, "n_k");
    n_k = n_k > 0 ? n_k : n_q;
    for (size_t i = 0; i < dump->arrays->n; i++) {
        const struct tensor *x = &dump->arrays->items[i].numbers;
        unsigned n = x->n_axes;
        if (!is_cast(casting, i) && n >= 3 && x->shape[n - 1] == n_k && x->shape[n - 2] == n_q &&
            casting_size(casting, "d_attn") % x->shape[n - 3] == 0 && n_q > 0 &&
            n == casting->n_lead + 3)
            return x->shape[n - 3];
    }
    return 0;
}

/* Adds what the file leaves open, in all ways that fit. */
static void add_readings(struct dump *dump, const struct casting *casting)
{
    const struct reference *reference = casting->reference;
    const struct reading plain = {.casting = casting};
    const struct tensor *heads = array_of_role(dump, &plain, "n_heads");
    const struct tensor *mask = array_of_role(dump, &plain, "mask");
    bool has_heads = has_role_of_kind(reference, ROLE_SIZE);
    size_t width = casting_size(casting, "d_attn");
    size_t known = dump->given->n_heads > 0 ? dump->given->n_heads
                   : heads != NULL          ? (size_t)tensor_at_position(heads, 0)
                                            : 0;
    known = known > 0 ? known : heads_of_weights(dump, casting);
    unsigned n_flags = 1U << reference->flags.n;
    for (size_t h = has_heads ? 1 : 0; h <= (has_heads ? width : 0); h++) {
        if (has_heads && ((known > 0 && h != known) || width % h != 0))
            continue;
        for (unsigned flags = 0; flags < n_flags; flags++)
            for (int turned = 0; turned <= (mask != NULL && mask_hides(mask)); turned++) {
                struct reading reading = {.casting = casting,
                                          .flags = flags,
                                          .n_heads = h,
                                          .mask_turned = turned != 0,
                                          .guessed_heads = has_heads && known == 0};
                if (!flags_fit(dump, &reading))
                    continue;
                if (dump->given->is_causal && reference_names_have(&reference->flags, "causal") &&
                    !has_flag(&reading, "causal"))
                    continue;
                if (dump->n_readings < MOST_READINGS)
                    dump->readings[dump->n_readings++] = reading;
            }
    }
}

static int compare_castings(const void *a, const void *b)
{
    const struct casting *left = *(const struct casting *const *)a,
                         *right = *(const struct casting *const *)b;
    return left->cost != right->cost ? (left->cost > right->cost) - (left->cost < right->cost)
                                     : (left > right) - (left < right);
}

/* A letter alone may stand for anything. */
static bool find_known(struct dump *dump)
{
    char plain[ROLES_NAME_BYTES];
    dump->known = calloc(dump->arrays->n + 1, sizeof *dump->known);
    if (dump->known == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (size_t i = 0; i < dump->arrays->n; i++) {
        roles_plain_name(dump->arrays->items[i].name, plain);
        for (unsigned k = 0; strlen(plain) > 1 && k < dump->references.n; k++)
            dump->known[i] =
                dump->known[i] || roles_name_is_known(&dump->references.items[k], plain);
    }
    return true;
}

/* The numbers of the arrays that whoever asks has given roles. */
static bool find_given(struct dump *dump)
{
    const struct verify_dump *given = dump->given;
    dump->roles = calloc(given->n_roles + 1, sizeof *dump->roles);
    if (dump->roles == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (size_t i = 0; i < given->n_roles; i++) {
        size_t at = 0;
        while (at < dump->arrays->n &&
               strcmp(dump->arrays->items[at].name, given->roles[i].array) != 0)
            at++;
        if (at == dump->arrays->n)
            return error_set(dump->reterr, ERR_NAME, "%s: there is no array of this name in %s",
                             given->roles[i].array, given->name);
        dump->roles[i] = (struct role_given){given->roles[i].role, (int)at};
    }
    return true;
}

static bool knows_formula(const struct references *references, const char *id)
{
    for (unsigned i = 0; i < references->n; i++)
        if (strcmp(references->items[i].id, id) == 0)
            return true;
    return false;
}

/* The formula that is asked for must be in the table. */
static bool check_like(const struct dump *dump)
{
    struct text ids = {0};
    if (dump->given->like == NULL || knows_formula(&dump->references, dump->given->like))
        return true;
    for (unsigned i = 0; i < dump->references.n; i++)
        text_format(&ids, "%s%s", i > 0 ? ", " : "", dump->references.items[i].id);
    error_set(dump->reterr, ERR_NAME, "%s: no formula of this name; there are %s",
              dump->given->like, text_string(&ids));
    text_release(&ids);
    return false;
}

/* All readings, the likeliest first. */
static bool list_readings(struct dump *dump)
{
    size_t n = 0, at = 0;
    dump->castings = calloc(dump->references.n, sizeof *dump->castings);
    dump->readings = calloc(MOST_READINGS, sizeof *dump->readings);
    if (dump->castings == NULL || dump->readings == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (unsigned i = 0; i < dump->references.n; i++) {
        const struct reference *reference = &dump->references.items[i];
        if (dump->given->like != NULL && strcmp(reference->id, dump->given->like) != 0)
            continue;
        if (!roles_cast(reference, dump->arrays, dump->known, dump->roles, dump->given->n_roles,
                        &dump->castings[i], dump->reterr))
            return false;
        castings_keep_fullest(&dump->castings[i]);
        n += dump->castings[i].n;
    }
    const struct casting **all = calloc(n + 1, sizeof(struct casting *));
    if (all == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (unsigned i = 0; i < dump->references.n; i++)
        for (size_t j = 0; j < dump->castings[i].n; j++)
            all[at++] = &dump->castings[i].items[j];
    if (n > 1)
        qsort(all, n, sizeof *all, compare_castings);
    for (size_t i = 0; i < n; i++)
        add_readings(dump, all[i]);
    free(all);
    return true;
}

/* More results are right; else all are; else fewer numbers are wrong. */
static bool is_better(const struct reading *reading, const struct reading *than)
{
    bool all = reading->n_right == reading->n_results, all_than = than->n_right == than->n_results;
    if (reading->n_right != than->n_right)
        return reading->n_right > than->n_right;
    if (all != all_than)
        return all;
    return reading->casting->cost == than->casting->cost && reading->wrong < than->wrong;
}

/* Finds the reading that is reported: the first under which all results are right, else the first
 * of those with the most right ones. NULL: none has a result. */
static bool choose_reading(struct dump *dump, struct reading **ret)
{
    double work = 0, work_each = READING_WORK;
    unsigned cheapest = 0, n_empty = 0;
    bool has_results = false;
    *ret = NULL;
    for (size_t i = 0; i < dump->arrays->n; i++)
        work_each += (double)tensor_size(&dump->arrays->items[i].numbers) * WORK_OF_NUMBER;
    for (size_t i = 0; i < dump->n_readings && (i == 0 || work < READING_MAX_WORK); i++) {
        struct reading *reading = &dump->readings[i];
        struct results results;
        bool is_first = i == 0 || reading->casting != reading[-1].casting;
        n_empty = is_first ? 0 : n_empty;
        has_results = !is_first && has_results;
        if (n_empty >= MOST_EMPTY && !has_results)
            continue;
        work += work_each;
        if (*ret != NULL && reading->casting->cost > cheapest + COST_MORE)
            break;
        if (!find_results(dump, reading, &results))
            return false;
        release_results(&results);
        n_empty += reading->n_results == 0;
        has_results = has_results || reading->n_results > 0;
        if (reading->n_results > 0 && *ret == NULL)
            cheapest = reading->casting->cost;
        if (reading->n_results > 0 && (*ret == NULL || is_better(reading, *ret)))
            *ret = reading;
        if (*ret != NULL && (*ret)->n_right == (*ret)->n_results)
            return true;
    }
    return true;
}

/* ---- what explains a wrong result ---- */

/* The name of the size that this one must equal, if it does here. */
static void name_of_size(const struct casting *casting, const struct role_size *size,
                         const char **ret_name, size_t *ret_size)
{
    const struct reference_names *same = &casting->reference->same;
    *ret_name = size->name;
    *ret_size = size->name_size;
    for (unsigned i = 0; i < same->n; i++) {
        const char *pair = same->items[i], *second = strchr(pair, ' ');
        size_t first_size = strcspn(pair, " ");
        if (second != NULL && first_size == size->name_size &&
            memcmp(pair, size->name, first_size) == 0 &&
            casting_size(casting, second + 1) == size->size) {
            *ret_name = second + 1;
            *ret_size = strlen(second + 1);
            return;
        }
    }
}

/* Sizes of which no two are equal that need not be. */
static void draw_sizes(const struct casting *casting, struct casting *ret)
{
    static const size_t widths[] = {12, 18, 30, 42, 66, 78}, counts[] = {5, 7, 11, 13, 17, 19};
    size_t n_widths = 0, n_counts = 0;
    for (unsigned i = 0; i < casting->n_sizes; i++)
        ret->sizes[i].size = casting->sizes[i].name[0] == 'd'
                                 ? widths[n_widths++ % COUNT_OF(widths)]
                                 : counts[n_counts++ % COUNT_OF(counts)];
    for (int turn = 0; turn < 2; turn++) /* a size may equal one that equals another */
        for (unsigned i = 0; i < casting->n_sizes; i++) {
            const char *name;
            size_t name_size;
            char copy[ROLES_NAME_BYTES];
            name_of_size(casting, &casting->sizes[i], &name, &name_size);
            snprintf(copy, sizeof copy, "%.*s", (int)name_size, name);
            ret->sizes[i].size = casting_size(ret, copy);
        }
}

static bool draw_array(const struct reading *fresh, const struct reference_role *role,
                       const struct tensor *like, struct random *random, struct tensor *ret,
                       struct error *reterr)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_words = 0;
    if (role->shape[0] == '\0')
        return tensor_copy(like, ret, reterr);
    memcpy(shape, like->shape, like->n_axes * sizeof *shape);
    bool has_lead = strncmp(role->shape, "...", 3) == 0;
    for (const char *at = role->shape; *at != '\0'; at += strspn(at, " "), n_words++)
        at += strcspn(at, " ");
    n_words -= has_lead;
    const char *at = has_lead ? role->shape + 3 + strspn(role->shape + 3, " ") : role->shape;
    for (unsigned i = 0; i < n_words; i++) {
        char name[ROLES_NAME_BYTES];
        size_t size = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        shape[like->n_axes - n_words + i] = casting_size(fresh->casting, name);
        at += size + strspn(at + size, " ");
    }
    if (role->turns && fresh->casting->turned) {
        size_t rows = shape[0];
        shape[0] = shape[1];
        shape[1] = rows;
    }
    if (!tensor_zeros(like->n_axes, shape, ret, reterr))
        return false;
    ret->is_bool = like->is_bool;
    for (size_t i = 0, n = tensor_size(ret); i < n; i++) {
        double number = random_uniform53(random);
        ret->data[i] = role->kind == ROLE_WHOLE  ? (float)floor(4 * number)
                       : role->kind == ROLE_MASK ? (float)(number < 0.7)
                                                 : (float)(2 * number - 1);
    }
    return true;
}

/* The question of the same formula with drawn inputs of other sizes: initialised. *ret_fits is
 * false if it can't be drawn. */
static bool draw_question(const struct dump *dump, const struct reading *reading,
                          const char *target, const struct given_step *given, size_t n_given,
                          struct question *ret, bool *ret_fits)
{
    const struct reference *reference = reading->casting->reference;
    struct casting casting = *reading->casting;
    struct reading fresh = *reading;
    struct named_array *items = calloc(dump->arrays->n + 1, sizeof *items);
    struct arrays arrays = {.items = items, .n = dump->arrays->n};
    struct dump drawn = *dump;
    struct question full;
    struct given_step fresh_given[MOST_RESULTS];
    struct random random;
    struct error error = {.kind = ERR_NONE};
    enum { SEED = 7, HEADS = 3 };
    *ret_fits = false;
    if (items == NULL)
        return error_memory(ret->reterr, "a formula");
    drawn.arrays = &arrays;
    drawn.reterr = &error;
    fresh.casting = &casting;
    fresh.n_heads = reading->n_heads > 0 ? HEADS : 0;
    draw_sizes(reading->casting, &casting);
    random_seed(&random, SEED);
    bool ok = true;
    for (unsigned i = 0; ok && i < reference->n_roles; i++)
        if (casting.array_of[i] >= 0)
            ok = draw_array(&fresh, &reference->roles[i],
                            &dump->arrays->items[casting.array_of[i]].numbers, &random,
                            &items[casting.array_of[i]].numbers, ret->reterr);
    question_init(&full, dump->options->stop, &error);
    bool fits = ok && build(&drawn, &fresh, NULL, NULL, 0, &full);
    for (size_t i = 0; fits && i < n_given; i++) {
        fresh_given[i] = (struct given_step){given[i].name, question_value(&full, given[i].name)};
        fits = fresh_given[i].value != NULL;
    }
    *ret_fits = fits && build(&drawn, &fresh, target, fresh_given, n_given, ret);
    question_release(&full);
    for (size_t i = 0; i < arrays.n; i++)
        tensor_release(&items[i].numbers);
    free(items);
    if (ok && error_is_stop(&error)) {
        *ret->reterr = error;
        return false;
    }
    return ok;
}

static double work_of(const struct question *question)
{
    enum { EACH = 32 };
    double work = 1;
    for (size_t i = 0; i < question->formula.n_steps; i++) {
        char name[ROLES_NAME_BYTES];
        const struct formula_step *step = &question->formula.steps[i];
        snprintf(name, sizeof name, "%.*s", (int)step->name_size, step->name);
        const struct tensor *value = question_value(question, name);
        work += value != NULL ? (double)tensor_size(value) * EACH : 1;
    }
    return work;
}

static size_t largest_of(const struct question *question)
{
    size_t largest = 0;
    for (size_t i = 0; i < question->formula.n_steps; i++) {
        char name[ROLES_NAME_BYTES];
        const struct formula_step *step = &question->formula.steps[i];
        snprintf(name, sizeof name, "%.*s", (int)step->name_size, step->name);
        const struct tensor *value = question_value(question, name);
        if (value != NULL && tensor_size(value) > largest)
            largest = tensor_size(value);
    }
    return largest;
}

/* The mistakes that the reference knows of. */
static bool try_known(struct question *question, const struct reference *reference,
                      struct question_finding *ret)
{
    for (unsigned i = 0; i < reference->n_mistakes && ret->when.size == 0; i++) {
        const struct reference_mistake *mistake = &reference->mistakes[i];
        bool agrees;
        if (!question_try_steps(question, mistake->step, &agrees))
            return false;
        if (agrees) {
            text_put(&ret->when, mistake->when);
            text_format(&ret->steps, "%s\n", mistake->step);
        }
    }
    return question_finding_check(ret, question->reterr);
}

/* Which mistake gives this result? given are the steps before it that stand in the file. */
static bool explain(struct dump *dump, const struct reading *reading, const struct result *result,
                    const struct given_step *given, size_t n_given, bool with_pairs,
                    struct question_finding *ret)
{
    const struct reference *reference = reading->casting->reference;
    struct question question, fresh;
    struct error error = {.kind = ERR_NONE};
    struct text target = {0};
    bool fits = false;
    write_target(&reference->results[result->row], result->layout, &target);
    question_init(&question, dump->options->stop, &error);
    question_init(&fresh, dump->options->stop, &error);
    struct tensor got = {0}, want = {0};
    struct value value = {.kind = VALUE_ABSENT};
    bool ok = (!target.failed || error_memory(&error, "a step")) &&
              build(dump, reading, text_string(&target), given, n_given, &question) &&
              session_peek(&question.session, NULL, text_string(&target), &value, &error);
    if (ok && value.kind == VALUE_NODE) {
        want = tensor_share(&value.as.node->value);
        ok = tensor_reshape(&result->got, want.n_axes, want.shape, &got, &error);
    }
    if (ok && value.kind == VALUE_NODE) {
        question.target = text_string(&target);
        question.got = &got;
        question.want = &want;
        question.tolerance = result->tolerance;
        question.work = work_of(&question);
        question.most_pair_steps = with_pairs ? PAIR_STEPS : 0;
        question.most_work = fmax(dump->work_left, 1);
        ok = (with_pairs || try_known(&question, reference, ret)) &&
             draw_question(dump, reading, text_string(&target), given, n_given, &fresh, &fits);
        ok = ok && !error_is_stop(&error);
        fresh.target = text_string(&target);
        fresh.tolerance = TOLERANCE;
        fresh.work_left = (double)INFINITY;
        if (ok && ret->when.size == 0)
            ok = question_search(&question, &dump->edits, largest_of(&question),
                                 fits ? &fresh : NULL, ret);
    }
    if (question.most_work > 0)
        dump->work_left = question.work_left;
    tensor_release(&got);
    tensor_release(&want);
    value_release(&value);
    question_release(&fresh);
    question_release(&question);
    text_release(&target);
    if (!ok && error_is_stop(&error))
        *dump->reterr = error;
    return ok || !error_is_stop(&error);
}

/* ---- the report ---- */

static const char *array_name(const struct dump *dump, size_t array)
{
    return dump->arrays->items[array].name;
}

/* "multi-head attention: x is hidden, w_q is q_proj.weight (out, in), ..." */
static void report_reading(struct verify_report *report, const struct dump *dump,
                           const struct reading *reading)
{
    const struct casting *casting = reading->casting;
    const struct reference *reference = casting->reference;
    struct text text = {0};
    bool turns = false;
    unsigned n = 0;
    text_put(&text, reference->title);
    for (unsigned i = 0; i < reference->n_roles; i++) {
        if (casting->array_of[i] < 0)
            continue;
        if (strcmp(reference->roles[i].name, array_name(dump, (size_t)casting->array_of[i])) != 0)
            text_format(&text, "%s%s is %s", n++ > 0 ? ", " : ": ", reference->roles[i].name,
                        array_name(dump, (size_t)casting->array_of[i]));
        turns = turns || (reference->roles[i].turns &&
                          dump->arrays->items[casting->array_of[i]].numbers.n_axes == 2);
    }
    text_put(&text, ".");
    if (turns)
        text_format(&text, " The matrices are %s.",
                    casting->turned ? "(out, in), as torch keeps them" : "(in, out)");
    if (reading->n_heads > 0 && (reading->n_right > 0 || !reading->guessed_heads))
        text_format(&text, " There %s %zu head%s%s.", reading->n_heads == 1 ? "is" : "are",
                    reading->n_heads, reading->n_heads == 1 ? "" : "s",
                    reading->guessed_heads ? ", which was found by trying" : "");
    if (reference_names_have(&reference->flags, "causal"))
        text_put(&text, has_flag(reading, "causal")            ? " It is causal."
                        : array_of_role(dump, reading, "mask") ? ""
                                                               : " Nothing is hidden.");
    if (reference_names_have(&reference->flags, "interleaved"))
        text_put(&text, has_flag(reading, "interleaved")
                            ? " Neighbours are turned as pairs."
                            : " The two halves are turned as pairs, as Llama does.");
    if (has_flag(reading, "shifted"))
        text_put(&text, " Position i is compared with the label of position i + 1.");
    if (has_flag(reading, "rotated"))
        text_format(&text, " Queries and keys are turned (RoPE), %s.",
                    has_flag(reading, "pairs") ? "neighbours as pairs" : "the two halves as pairs");
    if (reading->mask_turned)
        text_put(&text, " True in the mask hides a key.");
    verify_remark(report, "%s", text_string(&text));
    verify_end_text(report, &text);
}

/* "weights (attn)" */
static void name_result(const struct dump *dump, const struct reading *reading,
                        const struct result *result, struct text *out)
{
    const char *step = reading->casting->reference->results[result->row].step;
    const char *array = array_name(dump, result->array);
    if (strcmp(step, array) == 0)
        text_put(out, step);
    else
        text_format(out, "%s (%s)", array, step);
}

/* Names of the axes of a result, in the singular. */
static void name_axes(const struct reading *reading, const struct result *result,
                      const char *axes[TENSOR_MAX_AXES])
{
    unsigned n = result->got.n_axes;
    const char *step = reading->casting->reference->results[result->row].step;
    bool of_keys = strcmp(step, "scores") == 0 || strcmp(step, "scaled") == 0 ||
                   strcmp(step, "masked") == 0 || strcmp(step, "weights") == 0;
    bool is_attention = casting_size(reading->casting, "n_q") > 0;
    for (unsigned i = 0; i < n; i++)
        axes[i] = i + 1 == n   ? (of_keys ? "key" : "column")
                  : i + 2 == n ? (is_attention ? (of_keys ? "query" : "row") : "row")
                  : i + 3 == n && is_attention && n > 3                           ? "head"
                  : i + 3 == n && is_attention && reading->n_heads > 0 && of_keys ? "head"
                                                                                  : "batch";
}

static void write_index(const struct tensor *x, size_t position, struct text *out)
{
    size_t index[TENSOR_MAX_AXES];
    if (x->n_axes == 0)
        return;
    tensor_index_of(x, position, index);
    for (unsigned i = 0; i < x->n_axes; i++)
        text_format(out, "%s%zu", i == 0 ? "[" : ", ", index[i]);
    text_put(out, "]");
}

static void report_numbers(struct verify_report *report, const struct dump *dump,
                           const struct reading *reading, const struct result *result)
{
    struct difference off = difference_of(&result->got, &result->want, result->tolerance);
    struct text text = {0};
    name_result(dump, reading, result, &text);
    if (off.n_wrong == 0) {
        verify_passed(report, "%s%s: the largest difference is %.2g (allowed: %.2g)",
                      text_string(&text),
                      result->is_from_wrong ? ", given what stands before it" : "", off.largest,
                      result->tolerance);
    } else {
        write_index(&result->got, off.first, &text);
        verify_failed(report, "%s is %.6g, and must be %.6g; %zu of %zu numbers differ",
                      text_string(&text), (double)tensor_at_position(&result->got, off.first),
                      (double)tensor_at_position(&result->want, off.first), off.n_wrong, off.n);
    }
    verify_end_text(report, &text);
}

/* Arrays that no line speaks of. */
static void report_rest(struct verify_report *report, const struct dump *dump,
                        const struct reading *reading, const struct results *results)
{
    struct text text = {0};
    unsigned n = 0;
    for (size_t i = 0; i < dump->arrays->n; i++) {
        char shape[TENSOR_SHAPE_TEXT];
        bool used = is_cast(reading->casting, i);
        for (unsigned k = 0; k < results->n; k++)
            used = used || results->items[k].array == i;
        if (!used)
            text_format(&text, "%s%s (%s)", n++ > 0 ? ", " : "", array_name(dump, i),
                        tensor_shape_text(&dump->arrays->items[i].numbers, shape));
    }
    if (n > 0)
        verify_remark(report,
                      "Not compared, as nothing in the formula has this name and shape: %s.",
                      text_string(&text));
    verify_end_text(report, &text);
}

static void report_lines(struct verify_report *report, const char *lines)
{
    while (*lines != '\0') {
        size_t size = strcspn(lines, "\n");
        verify_advise(report, "%.*s", (int)size, lines);
        lines += size + (lines[size] == '\n');
    }
}

static void report_finding(struct verify_report *report, const struct question_finding *finding)
{
    verify_advise(report, "This is what comes out when %s%s", text_string(&finding->when),
                  finding->steps.size > 0 ? ":" : ".");
    report_lines(report, text_string(&finding->steps));
    for (const char *at = text_string(&finding->also); *at != '\0';) {
        size_t size = strcspn(at, "\n");
        verify_advise(
            report,
            "The same numbers come out when %.*s. With these sizes nothing tells the two "
            "apart; give a file in which no two sizes are equal, nor a size another's root.",
            (int)size, at);
        at += size + (at[size] == '\n');
    }
}

static bool report_difference(struct verify_report *report, const struct dump *dump,
                              const struct reading *reading, const struct result *result)
{
    const char *axes[TENSOR_MAX_AXES];
    struct text text = {0};
    name_axes(reading, result, axes);
    bool ok = difference_describe(&result->got, &result->want, result->tolerance, axes, &text,
                                  dump->reterr);
    if (ok)
        verify_advise(report, "No known mistake gives just these numbers.%s%s",
                      text.size > 0 ? " " : "", text_string(&text));
    verify_end_text(report, &text);
    return ok;
}

/* The same, for each step that the array may be the value of by its shape: those of its name first.
 */
static bool explain_any(struct dump *dump, const struct reading *reading,
                        const struct result *result, const struct given_step *given, size_t n_given,
                        bool with_pairs, struct question_finding *ret)
{
    const struct reference *reference = reading->casting->reference;
    char plain[ROLES_NAME_BYTES];
    if (!explain(dump, reading, result, given, n_given, with_pairs, ret))
        return false;
    roles_plain_name(array_name(dump, result->array), plain);
    bool ok = true;
    for (int named = 1; ok && named >= 0; named--)
        for (unsigned row = 0; ok && row < reference->n_results && ret->when.size == 0; row++) {
            struct result other = *result;
            other.row = row;
            if (row != result->row &&
                roles_name_fits(&reference->results[row].names, plain) == (named != 0))
                ok = explain(dump, reading, &other, given, n_given, with_pairs, ret);
        }
    return ok;
}

/* The reading that explains the first wrong result, of those that are as right as *reading. */
static bool search_readings(struct dump *dump, struct reading **reading,
                            struct question_finding *ret)
{
    unsigned n_right = (*reading)->n_right;
    for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
        unsigned n_asked = 0;
        for (size_t i = 0;
             i < dump->n_readings && n_asked < (with_pairs ? MOST_ASKED_PAIRS : MOST_ASKED); i++) {
            struct reading *asked = &dump->readings[i];
            struct results results;
            if (asked->n_right != n_right || asked->n_results == 0 || asked->n_results == n_right)
                continue;
            n_asked++;
            if (!find_results(dump, asked, &results))
                return false;
            struct given_step given[MOST_RESULTS];
            size_t n_given = 0;
            bool ok = true;
            for (unsigned k = 0; ok && k < results.n; k++) {
                const struct result *result = &results.items[k];
                const char *step = asked->casting->reference->results[result->row].step;
                if (!result->is_right) {
                    ok = explain_any(dump, asked, result, given, n_given, with_pairs != 0, ret);
                    break;
                }
                if (result->layout == layouts)
                    given[n_given++] = (struct given_step){step, &result->got};
            }
            release_results(&results);
            if (!ok)
                return false;
            if (ret->when.size > 0) {
                *reading = asked;
                return true;
            }
        }
    }
    return true;
}

/* What a result must be if the wrong ones before it are taken as they stand. */
static bool compare_again(const struct dump *dump, const struct reading *reading,
                          const struct given_step *given, size_t n_given, struct result *result)
{
    const struct reference *reference = reading->casting->reference;
    struct question question;
    struct error error = {.kind = ERR_NONE};
    struct text target = {0};
    struct result again;
    bool ok = true;
    write_target(&reference->results[result->row], result->layout, &target);
    question_init(&question, dump->options->stop, &error);
    if ((!target.failed || error_memory(&error, "a step")) &&
        build(dump, reading, text_string(&target), given, n_given, &question)) {
        ok = compare_layout(dump, reference, &question, result->array, result->row, result->layout,
                            &again);
        if (ok && again.fits) {
            tensor_release(&result->want);
            tensor_release(&result->got);
            *result = again;
            result->is_from_wrong = true;
        } else if (ok) {
            tensor_release(&again.want);
            tensor_release(&again.got);
        }
    } else if (error_is_stop(&error)) {
        *dump->reterr = error;
        ok = false;
    }
    question_release(&question);
    text_release(&target);
    return ok;
}

/* The reason why a result after the first wrong one differs. */
static bool report_reason(struct verify_report *report, struct dump *dump,
                          const struct reading *reading, const struct result *result,
                          const struct given_step *given, size_t n_given)
{
    struct question_finding finding = {.when = {0}};
    bool ok = explain_any(dump, reading, result, given, n_given, false, &finding);
    if (ok && finding.when.size > 0)
        report_finding(report, &finding);
    else if (ok)
        ok = report_difference(report, dump, reading, result);
    question_finding_release(&finding);
    return ok;
}

static bool report_results(struct verify_report *report, struct dump *dump,
                           const struct reading *reading, struct results *results,
                           const struct question_finding *finding)
{
    struct given_step given[MOST_RESULTS];
    size_t n_given = 0;
    bool ok = true, told = false;
    for (unsigned i = 0; ok && i < results->n; i++) {
        struct result *result = &results->items[i];
        if (told && n_given > 0)
            ok = compare_again(dump, reading, given, n_given, result);
        if (!ok)
            break;
        report_numbers(report, dump, reading, result);
        if (!result->is_right && !told && finding->when.size > 0)
            report_finding(report, finding);
        else if (!result->is_right)
            ok = report_reason(report, dump, reading, result, given, n_given);
        told = told || !result->is_right;
        if (result->layout == layouts)
            given[n_given++] = (struct given_step){
                reading->casting->reference->results[result->row].step, &result->got};
    }
    return ok;
}

static void report_headline(struct doc *out, const struct dump *dump, const struct reading *reading,
                            const struct results *results, const struct question_finding *finding)
{
    struct text text = {0};
    unsigned i = 0;
    while (i < results->n && results->items[i].is_right)
        i++;
    if (i == results->n) {
        doc_line(out, STYLE_GOOD, "%s: right; %s", dump->given->name,
                 reading->casting->reference->title);
    } else {
        name_result(dump, reading, &results->items[i], &text);
        doc_line(out, STYLE_BAD, "%s: %s is the first that differs%s%s", dump->given->name,
                 text_string(&text), finding->when.size > 0 ? ": " : "",
                 text_string(&finding->when));
        if (finding->also.size > 0)
            doc_line(out, STYLE_BAD, "other mistakes give the same numbers here: see below");
    }
    out->failed = out->failed || text.failed;
    text_release(&text);
}

static void report_unknown(struct verify_report *report, const struct dump *dump)
{
    struct text text = {0};
    char shape[TENSOR_SHAPE_TEXT];
    doc_line(report->out, STYLE_BAD, "%s: could not be judged: no formula fits these arrays",
             dump->given->name);
    for (size_t i = 0; i < dump->arrays->n; i++)
        text_format(&text, "%s%s %s", i > 0 ? ", " : "", array_name(dump, i),
                    tensor_shape_text(&dump->arrays->items[i].numbers, shape));
    verify_remark(report, "In the file: %s.", text_string(&text));
    verify_remark(report,
                  "attn looks for inputs and at least one result of a formula, such as query, "
                  "key, value and weights. attn verify --print torch shows how to write "
                  "them; --like names the formula, and --as ROLE=ARRAY an array.");
    verify_end_text(report, &text);
}

/* Does an array whose name a formula knows have no part in the reading? Vectors are weights of a
 * layer beside this one. */
static bool leaves_known(const struct dump *dump, const struct reading *reading,
                         const struct results *results)
{
    for (size_t i = 0; i < dump->arrays->n; i++) {
        char plain[ROLES_NAME_BYTES];
        roles_plain_name(dump->arrays->items[i].name, plain);
        bool used = !dump->known[i] || is_cast(reading->casting, i) ||
                    dump->arrays->items[i].numbers.n_axes == 1;
        for (unsigned k = 0; k < results->n; k++)
            used = used || results->items[k].array == i;
        if (!used && !roles_name_is_input(reading->casting->reference, plain))
            return true;
    }
    return false;
}

/* A result that no mistake explains says little if the file holds more than the formula has. */
static void report_misfit(struct verify_report *report, const struct dump *dump,
                          const struct reading *reading)
{
    doc_line(report->out, STYLE_BAD, "%s: could not be judged: no formula fits all of its arrays",
             dump->given->name);
    verify_remark(report,
                  "The closest one is %s, in which some of the arrays have no part and a "
                  "result differs. --like names another formula, --as ROLE=ARRAY an array.",
                  reading->casting->reference->title);
}

static bool report_all(struct verify_report *report, struct dump *dump, struct reading *reading,
                       enum verify_verdict *ret)
{
    struct question_finding finding = {.when = {0}};
    struct results results = {.n = 0};
    bool ok = true;
    *ret = reading->n_right == reading->n_results ? VERIFY_RIGHT : VERIFY_DIFFERS;
    dump->work_left = SEARCH_MAX_WORK;
    if (*ret == VERIFY_DIFFERS)
        ok = edits_open(dump->options->data_dir, &dump->edits, dump->reterr) &&
             search_readings(dump, &reading, &finding);
    ok = ok && find_results(dump, reading, &results);
    if (ok && *ret == VERIFY_DIFFERS && finding.when.size == 0 && dump->given->like == NULL &&
        leaves_known(dump, reading, &results)) {
        *ret = VERIFY_UNKNOWN;
        report_misfit(report, dump, reading);
        report_reading(report, dump, reading);
        report_rest(report, dump, reading, &results);
    } else if (ok) {
        report_headline(report->out, dump, reading, &results, &finding);
        report_reading(report, dump, reading);
        ok = report_results(report, dump, reading, &results, &finding);
        report_rest(report, dump, reading, &results);
    }
    release_results(&results);
    question_finding_release(&finding);
    return ok && doc_check(report->out, report->reterr);
}

/* The arrays of one layer, or all of them. */
static bool verify_arrays(const struct arrays *arrays, const struct verify_dump *given,
                          const struct verify_options *options, struct doc *out,
                          enum verify_verdict *ret_verdict, bool *ret_causal, struct error *reterr)
{
    struct arrays apart = {.n = 0};
    struct dump dump = {.arrays = &apart, .given = given, .options = options, .reterr = reterr};
    struct verify_report report = {
        .what = "verify", .options = options, .out = out, .reterr = reterr};
    struct reading *reading = NULL;
    *ret_verdict = VERIFY_UNKNOWN;
    bool ok = unpack(arrays, &apart, reterr) &&
              references_open(options->data_dir, &dump.references, reterr) && check_like(&dump) &&
              find_known(&dump) && find_given(&dump) && list_readings(&dump) &&
              choose_reading(&dump, &reading);
    if (ok && reading == NULL)
        report_unknown(&report, &dump);
    else if (ok)
        ok = report_all(&report, &dump, reading, ret_verdict);
    *ret_causal = ok && reading != NULL && has_flag(reading, "causal");
    for (unsigned i = 0; dump.castings != NULL && i < dump.references.n; i++)
        castings_release(&dump.castings[i]);
    free(dump.castings);
    free(dump.roles);
    free(dump.known);
    free(dump.readings);
    edits_release(&dump.edits);
    references_release(&dump.references);
    arrays_release(&apart);
    return ok;
}

/* ---- layers ---- */

static bool ends_in(const char *name, size_t size, const char *word)
{
    size_t n = strlen(word);
    return size >= n && memcmp(name + size - n, word, n) == 0;
}

/* The part of a name that says which layer it belongs to: "h.3." of "h.3.attn.out"; 0: none. */
static size_t layer_size(const char *name)
{
    size_t digits = strcspn(name, "0123456789");
    size_t end = digits + strspn(name + digits, "0123456789");
    size_t stem = digits > 0 ? digits - 1 : 0;
    bool begins =
        stem > 0 && end > digits &&
        (strchr("./", name[stem]) != NULL ||
         (name[stem] == '_' && (ends_in(name, stem, "layer") || ends_in(name, stem, "layers") ||
                                ends_in(name, stem, "block") || ends_in(name, stem, "blocks"))));
    return begins && name[end] != '\0' && strchr("._/", name[end]) != NULL ? end + 1 : 0;
}

static bool is_of_layer(const char *name, const char *layer, size_t size)
{
    return layer_size(name) == size && memcmp(name, layer, size) == 0;
}

/* Is it the first array of its layer? */
static bool begins_layer(const struct arrays *arrays, size_t at)
{
    size_t size = layer_size(arrays->items[at].name);
    for (size_t i = 0; size > 0 && i < at; i++)
        if (is_of_layer(arrays->items[i].name, arrays->items[at].name, size))
            return false;
    return size > 0;
}

/* The arrays of the layer of array `at`, whose names lose its own, and those of no layer. What they
 * hold is borrowed. */
static bool take_layer(const struct arrays *arrays, size_t at, struct arrays *ret,
                       struct error *reterr)
{
    const char *layer = arrays->items[at].name;
    size_t size = layer_size(layer);
    *ret = (struct arrays){.items = calloc(arrays->n, sizeof *ret->items)};
    if (ret->items == NULL)
        return error_memory(reterr, "a layer");
    for (size_t i = 0; i < arrays->n; i++) {
        bool is_of = is_of_layer(arrays->items[i].name, layer, size);
        if (!is_of && layer_size(arrays->items[i].name) > 0)
            continue;
        ret->items[ret->n] = arrays->items[i];
        ret->items[ret->n++].name += is_of ? size : 0;
    }
    return true;
}

/* What became of the layers. */
struct layers {
    unsigned n_of[VERIFY_UNKNOWN + 1];
    unsigned n_causal;    /* of the right ones */
    struct text other[2]; /* names of the right layers that are not causal, and of those that are */
    struct doc lines;     /* a line each */
    struct doc first;     /* the report of the first that differs */
};

static bool verify_layer(const struct arrays *arrays, size_t at, const struct verify_dump *given,
                         const struct verify_options *options, struct layers *layers,
                         struct error *reterr)
{
    struct arrays layer = {.n = 0};
    struct verify_dump of_layer = *given;
    enum verify_verdict verdict;
    struct text name = {0};
    struct doc report;
    bool is_causal = false;
    doc_init(&report);
    text_format(&name, "%.*s", (int)layer_size(arrays->items[at].name) - 1, arrays->items[at].name);
    of_layer.name = text_string(&name);
    bool ok = (!name.failed || error_memory(reterr, "a layer")) &&
              take_layer(arrays, at, &layer, reterr) &&
              verify_arrays(&layer, &of_layer, options, &report, &verdict, &is_causal, reterr);
    if (ok && verdict == VERIFY_DIFFERS && layers->n_of[VERIFY_DIFFERS] == 0)
        doc_append(&layers->first, &report, 0);
    if (ok) {
        layers->n_of[verdict]++;
        if (verdict == VERIFY_RIGHT) {
            struct text *names = &layers->other[is_causal];
            text_format(names, "%s%s", names->size > 0 ? ", " : "", text_string(&name));
            layers->n_causal += is_causal;
        }
        doc_append_lines(&layers->lines, &report, 1, 0);
    }
    free(layer.items);
    text_release(&name);
    doc_release(&report);
    return ok;
}

static bool verify_layers(const struct arrays *arrays, const struct verify_dump *given,
                          const struct verify_options *options, struct doc *out,
                          enum verify_verdict *ret_verdict, struct error *reterr)
{
    struct layers layers = {.n_of = {0}};
    bool ok = true;
    doc_init(&layers.lines);
    doc_init(&layers.first);
    for (size_t i = 0; ok && i < arrays->n; i++)
        if (begins_layer(arrays, i))
            ok = verify_layer(arrays, i, given, options, &layers, reterr);
    unsigned n_others = layers.n_of[VERIFY_RIGHT] - layers.n_causal;
    bool causal_differs = layers.n_causal > 0 && n_others > 0;
    *ret_verdict = layers.n_of[VERIFY_DIFFERS] > 0 || causal_differs ? VERIFY_DIFFERS
                   : layers.n_of[VERIFY_RIGHT] > 0                   ? VERIFY_RIGHT
                                                                     : VERIFY_UNKNOWN;
    if (ok) {
        doc_line(
            out, *ret_verdict == VERIFY_RIGHT ? STYLE_GOOD : STYLE_BAD,
            "%s: of %u layers %u are right, %u differ, %u could not be judged", given->name,
            layers.n_of[VERIFY_RIGHT] + layers.n_of[VERIFY_DIFFERS] + layers.n_of[VERIFY_UNKNOWN],
            layers.n_of[VERIFY_RIGHT], layers.n_of[VERIFY_DIFFERS], layers.n_of[VERIFY_UNKNOWN]);
        if (causal_differs)
            doc_line(out, STYLE_BAD, "%s: %s",
                     text_string(&layers.other[n_others > layers.n_causal]),
                     n_others > layers.n_causal
                         ? "causal, while the other layers hide nothing"
                         : "nothing is hidden, while the other layers are causal");
        doc_append(out, &layers.lines, 0);
        doc_append(out, &layers.first, 0);
    }
    out->failed = out->failed || layers.other[0].failed || layers.other[1].failed;
    text_release(&layers.other[0]);
    text_release(&layers.other[1]);
    doc_release(&layers.lines);
    doc_release(&layers.first);
    return ok && doc_check(out, reterr);
}

bool verify_dump(const struct arrays *arrays, const struct verify_dump *given,
                 const struct verify_options *options, struct doc *out,
                 enum verify_verdict *ret_verdict, struct error *reterr)
{
    size_t n_layers = 0;
    bool is_causal;
    for (size_t i = 0; i < arrays->n; i++)
        n_layers += begins_layer(arrays, i);
    return n_layers > 1
               ? verify_layers(arrays, given, options, out, ret_verdict, reterr)
               : verify_arrays(arrays, given, options, out, ret_verdict, &is_causal, reterr);
}
