/* Values as text: repr(), str(), format(), %, and str.format(). */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "lang/notebook/ndarray_internal.h"

/* ---- repr ---- */

/* The shortest digits that give the same double, as Python's repr() writes them. */
static void number_repr(double number, struct text *out)
{
    char digits[40];
    if (isnan(number)) {
        text_put(out, "nan");
        return;
    }
    if (isinf(number)) {
        text_put(out, number < 0 ? "-inf" : "inf");
        return;
    }
    if (number == floor(number) && fabs(number) < 1e16) {
        text_format(out, "%.1f", number);
        return;
    }
    bool is_tiny = fabs(number) < 2.3e-308; /* such have fewer digits than 15 */
    for (int precision = is_tiny ? 1 : 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision - 1, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    /* d.ddde+xx: the digits without trailing zeros, and the exponent. */
    char *e = strchr(digits, 'e');
    int exponent = atoi(e + 1), n = 0;
    char plain[24];
    for (const char *c = digits; c < e; c++)
        if (isdigit((unsigned char)*c))
            plain[n++] = *c;
    while (n > 1 && plain[n - 1] == '0')
        n--;
    if (number < 0)
        text_char(out, '-');
    if (exponent < -4 || exponent >= 16) {
        text_char(out, plain[0]);
        if (n > 1) {
            text_char(out, '.');
            text_add(out, plain + 1, (size_t)n - 1);
        }
        text_format(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    } else if (exponent < 0) {
        text_put(out, "0.");
        text_repeat(out, "0", (size_t)(-exponent - 1));
        text_add(out, plain, (size_t)n);
    } else {
        for (int i = 0; i <= exponent || i < n; i++) {
            if (i == exponent + 1)
                text_char(out, '.');
            text_char(out, i < n ? plain[i] : '0');
        }
        if (n <= exponent + 1)
            text_put(out, ".0");
    }
}

static void string_repr(const struct string *s, struct text *out)
{
    bool has_single = memchr(s->bytes, '\'', s->size) != NULL;
    bool has_double = memchr(s->bytes, '"', s->size) != NULL;
    char quote = has_single && !has_double ? '"' : '\'';
    text_char(out, quote);
    for (size_t i = 0; i < s->size;) {
        unsigned char c = (unsigned char)s->bytes[i];
        if (c >= 0x80) {
            utf8proc_int32_t code;
            utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s->bytes + i,
                                                  (utf8proc_ssize_t)(s->size - i), &code);
            size_t size = n > 0 ? (size_t)n : 1;
            utf8proc_category_t category = n > 0 ? utf8proc_category(code) : UTF8PROC_CATEGORY_CC;
            bool shown = category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_CF &&
                         category != UTF8PROC_CATEGORY_CN && category < UTF8PROC_CATEGORY_ZS;
            if (shown || (category > UTF8PROC_CATEGORY_ZP && category != UTF8PROC_CATEGORY_CC &&
                          category != UTF8PROC_CATEGORY_CF))
                text_add(out, s->bytes + i, size);
            else if (code < 0x100)
                text_format(out, "\\x%02x", (unsigned)code);
            else
                text_format(out, code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code);
            i += size;
            continue;
        }
        if (c == (unsigned char)quote || c == '\\')
            text_format(out, "\\%c", c);
        else if (c == '\n')
            text_put(out, "\\n");
        else if (c == '\t')
            text_put(out, "\\t");
        else if (c == '\r')
            text_put(out, "\\r");
        else if (c < 0x20 || c == 0x7F)
            text_format(out, "\\x%02x", c);
        else
            text_char(out, (char)c);
        i++;
    }
    text_char(out, quote);
}

enum { REPR_DEPTH = 200 };

static bool items_repr(struct machine *m, const struct value *items, size_t n, const char *open,
                       const char *close, struct text *out)
{
    text_put(out, open);
    for (size_t i = 0; i < n; i++) {
        text_put(out, i ? ", " : "");
        if (out->size > MACHINE_MAX_TEXT)
            return raise_error(m, ERROR_MEMORY, "a text of more than 64 MB");
        if (!value_repr(m, items[i], out))
            return false;
    }
    text_put(out, close);
    return true;
}

static bool table_repr(struct machine *m, struct value v, struct text *out)
{
    const struct table *table = THING_AS(table, v);
    bool is_dict = value_is(v, THING_DICT), first = true, frozen = value_is(v, THING_FROZENSET);
    if (!is_dict && table->n == 0) {
        text_put(out, frozen ? "frozenset()" : "set()");
        return true;
    }
    text_put(out, frozen ? "frozenset({" : "{");
    for (size_t i = 0; i < table->n_entries; i++) {
        const struct entry *entry = &table->entries[i];
        if (entry->key.kind == VALUE_ABSENT)
            continue;
        text_put(out, first ? "" : ", ");
        first = false;
        if (!value_repr(m, entry->key, out))
            return false;
        if (is_dict) {
            text_put(out, ": ");
            if (!value_repr(m, entry->value, out))
                return false;
        }
    }
    text_put(out, frozen ? "})" : "}");
    return true;
}

static bool tuple_repr(struct machine *m, const struct tuple *tuple, struct text *out)
{
    if (tuple->form == NULL)
        return items_repr(m, tuple->items, tuple->n, "(", tuple->n == 1 ? ",)" : ")", out);
    text_put(out, tuple->form->name);
    if (tuple->form->fields[0] == NULL)
        return items_repr(m, tuple->items, tuple->n, "([", "])", out);
    text_put(out, "(\n");
    for (size_t i = 0; i < tuple->n; i++) {
        text_format(out, "%s%s=", i ? ",\n" : "", tuple->form->fields[i]);
        if (!value_repr(m, tuple->items[i], out))
            return false;
    }
    text_char(out, ')');
    return true;
}

/* The text that a method gives. *ret_found false: the class has none of its own. */
static bool by_method(struct machine *m, struct value v, enum known_name name, struct text *out,
                      bool *ret_found)
{
    struct value result;
    const struct value *method = class_find(class_of(m, v), m->names[name]);
    *ret_found = method != NULL && value_is(*method, THING_CLOSURE);
    if (!*ret_found)
        return true;
    if (!machine_call(m, *method, &v, 1, NULL, &result))
        return false;
    bool ok = result.kind == VALUE_STRING;
    if (ok)
        text_add(out, result.as.string->bytes, result.as.string->size);
    else
        raise_error(m, ERROR_TYPE, "%s returned non-string (type %s)", m->names[name]->bytes,
                    value_class_name(m, result));
    value_drop(result);
    return ok;
}

/* Where a thing lies, for <__main__.A object at 0x...>. */
static void address(struct value v, struct text *out)
{
    text_format(out, " at 0x%012llx>", (unsigned long long)(uintptr_t)v.as.thing);
}

static bool instance_repr(struct machine *m, struct value v, struct text *out)
{
    const struct instance *instance = THING_AS(instance, v);
    bool found;
    if (!by_method(m, v, NAME_REPR, out, &found) || found)
        return found && m->raised.kind == VALUE_ABSENT;
    if (instance->class->is_error) {
        const struct tuple *args = THING_AS(tuple, instance->payload);
        text_put(out, class_name(instance->class));
        return items_repr(m, args->items, args->n, "(", ")", out);
    }
    if (instance->payload.kind != VALUE_ABSENT) {
        if (class_is(instance->class, m->classes[CLASS_COUNTER]) ||
            class_is(instance->class, m->classes[CLASS_DEFAULTDICT])) {
            text_format(out, "%s(", class_name(instance->class));
            if (!value_repr(m, instance->payload, out))
                return false;
            text_char(out, ')');
            return true;
        }
        return value_repr(m, instance->payload, out);
    }
    text_format(out, "<%s%s object", instance->class->is_own ? "" : "__main__.",
                class_name(instance->class));
    address(v, out);
    return true;
}

static bool class_is_numpy(const struct machine *m, const struct class *class)
{
    for (size_t i = CLASS_NDARRAY; i <= CLASS_NP_FLOAT64; i++)
        if (class == m->classes[i])
            return true;
    return false;
}

static const char *class_prefix(const struct machine *m, const struct class *class)
{
    if (!class->is_own)
        return "__main__.";
    return class == m->classes[CLASS_PARAMETER]                           ? "torch.nn.parameter."
           : class->name.kind == VALUE_STRING && class_is_numpy(m, class) ? "numpy."
           : class == m->classes[CLASS_TENSOR] || class == m->classes[CLASS_SIZE] ||
                   class == m->classes[CLASS_DTYPE]
               ? "torch."
               : "";
}

static bool thing_repr(struct machine *m, struct value v, struct text *out)
{
    switch (thing_id(v.as.thing)) {
    case THING_TUPLE:
        return tuple_repr(m, THING_AS(tuple, v), out);
    case THING_LIST:
        return items_repr(m, THING_AS(array, v)->items, THING_AS(array, v)->n, "[", "]", out);
    case THING_DICT:
    case THING_SET:
    case THING_FROZENSET:
        return table_repr(m, v, out);
    case THING_RANGE: {
        const struct range *range = THING_AS(range, v);
        text_format(out, "range(%lld, %lld", (long long)range->start, (long long)range->stop);
        if (range->step != 1)
            text_format(out, ", %lld", (long long)range->step);
        text_char(out, ')');
        return true;
    }
    case THING_SLICE:
        return items_repr(m, &THING_AS(slice, v)->start, 3, "slice(", ")", out);
    case THING_CLOSURE:
        text_format(out, "<function %s", THING_AS(closure, v)->name.as.string->bytes);
        address(v, out);
        return true;
    case THING_BUILTIN:
        text_format(out, "<built-in function %s>", THING_AS(builtin_function, v)->native->name);
        return true;
    case THING_BOUND: {
        struct value name = value_absent();
        if (!attribute_try(m, THING_AS(bound, v)->function, m->names[NAME_NAME], &name))
            return false;
        text_format(out, "<bound method %s.%s of ", value_class_name(m, THING_AS(bound, v)->self),
                    name.kind == VALUE_STRING ? name.as.string->bytes : "?");
        value_drop(name);
        if (!value_repr(m, THING_AS(bound, v)->self, out))
            return false;
        text_char(out, '>');
        return true;
    }
    case THING_TENSOR:
        return tensor_repr(m, as_tensor(v), out);
    case THING_NDARRAY:
        return nd_str(m, as_ndarray(v), true, out);
    case THING_DTYPE:
        if (THING_AS(dtype_thing, v)->is_numpy)
            text_format(out, "dtype('%s')", dtypes[THING_AS(dtype_thing, v)->dtype].name);
        else
            text_format(out, "torch.%s", dtypes[THING_AS(dtype_thing, v)->dtype].name);
        return true;
    case THING_CLASS:
        text_format(out, "<class '%s%s'>", class_prefix(m, THING_AS(class, v)),
                    class_name(THING_AS(class, v)));
        return true;
    case THING_INSTANCE:
        return instance_repr(m, v, out);
    case THING_MODULE:
        text_format(out, "<module '%s'>", THING_AS(module, v)->name.as.string->bytes);
        return true;
    case THING_VIEW: {
        static const char *const names[] = {"dict_keys(", "dict_values(", "dict_items("};
        struct array *items;
        if (!value_to_array(m, v, &items))
            return false;
        text_put(out, names[THING_AS(view, v)->kind - ITERATE_KEYS]);
        bool ok = items_repr(m, items->items, items->n, "[", "])", out);
        value_drop(value_thing(items));
        return ok;
    }
    default:
        text_format(out, "<%s object", value_class_name(m, v));
        address(v, out);
        return true;
    }
}

bool value_repr(struct machine *m, struct value v, struct text *out)
{
    switch (v.kind) {
    case VALUE_NONE:
        text_put(out, "None");
        return true;
    case VALUE_BOOL:
        text_put(out, v.as.whole ? "True" : "False");
        return true;
    case VALUE_INT:
        text_format(out, "%lld", (long long)v.as.whole);
        return true;
    case VALUE_FLOAT:
        number_repr(v.as.number, out);
        return true;
    case VALUE_STRING:
        string_repr(v.as.string, out);
        return true;
    case VALUE_THING:
        break;
    default:
        text_put(out, "<nothing>");
        return true;
    }
    if (value_identical(v, m->ellipsis) || value_identical(v, m->not_implemented)) {
        text_put(out, value_identical(v, m->ellipsis) ? "Ellipsis" : "NotImplemented");
        return true;
    }
    if (++m->repr_depth > REPR_DEPTH) {
        m->repr_depth--;
        return raise_error(m, ERROR_RECURSION,
                           "maximum recursion depth exceeded while getting the repr of an object");
    }
    for (size_t i = 0; i + 1 < m->repr_depth; i++)
        if (m->repr_things[i] == v.as.thing && !value_is(v, THING_INSTANCE)) {
            m->repr_depth--;
            text_put(out, value_is(v, THING_LIST) ? "[...]" : "{...}");
            return true;
        }
    m->repr_things[m->repr_depth - 1] = v.as.thing;
    bool ok = thing_repr(m, v, out);
    m->repr_depth--;
    return ok;
}

bool value_str(struct machine *m, struct value v, struct text *out)
{
    bool found = false;
    if (v.kind == VALUE_STRING) {
        text_add(out, v.as.string->bytes, v.as.string->size);
        return true;
    }
    if (is_ndarray(v))
        return nd_str(m, as_ndarray(v), false, out);
    if (value_is(v, THING_DTYPE) && THING_AS(dtype_thing, v)->is_numpy) {
        text_put(out, dtypes[THING_AS(dtype_thing, v)->dtype].name);
        return true;
    }
    if (!value_is(v, THING_INSTANCE))
        return value_repr(m, v, out);
    if (!by_method(m, v, NAME_STR, out, &found) || found)
        return found && m->raised.kind == VALUE_ABSENT;
    const struct instance *instance = THING_AS(instance, v);
    if (instance->class->is_error) {
        const struct tuple *args = THING_AS(tuple, instance->payload);
        if (args->n == 1 && class_is(instance->class, m->errors[ERROR_KEY]))
            return value_repr(m, args->items[0], out);
        return args->n == 0 ||
               (args->n == 1 ? value_str(m, args->items[0], out) : tuple_repr(m, args, out));
    }
    if (instance->payload.kind == VALUE_STRING)
        return value_str(m, instance->payload, out);
    return value_repr(m, v, out);
}

/* The text with \\x, \\u or \\U in the place of each character beyond ASCII. */
static void add_ascii(const struct text *from, struct text *out)
{
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text_string(from);
    for (size_t i = 0; i < from->size;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t n =
            utf8proc_iterate(bytes + i, (utf8proc_ssize_t)(from->size - i), &point);
        if (n <= 0 || point < 0x80)
            text_char(out, (char)bytes[i]);
        else
            text_format(out,
                        point < 0x100     ? "\\x%02x"
                        : point < 0x10000 ? "\\u%04x"
                                          : "\\U%08x",
                        (unsigned)point);
        i += n > 0 ? (size_t)n : 1;
    }
}

bool value_convert(struct machine *m, struct value v, char conversion, struct text *out)
{
    struct text shown = {0};
    if (conversion == 's')
        return value_str(m, v, out);
    if (conversion != 'a')
        return value_repr(m, v, out);
    bool ok = value_repr(m, v, &shown);
    if (ok)
        add_ascii(&shown, out);
    text_release(&shown);
    return ok;
}

bool text_to_str(struct machine *m, struct text *text, struct value *ret)
{
    bool ok = !text->failed ? make_str(m, text_string(text), text->size, ret) : raise_memory(m);
    text_release(text);
    return ok;
}

/* ---- format ---- */

/* [[fill]align][sign][#][0][width][,][.precision][type] */
struct spec {
    char fill[5];
    char align, sign, group, type;
    bool alternate, zero; /* zero: a 0 before the width is the fill */
    size_t width;
    int precision; /* -1: none */
};

static bool read_spec(struct machine *m, const char *s, size_t size, struct spec *ret)
{
    size_t at = 0, first = 1;
    bool has_fill = false;
    *ret = (struct spec){.fill = " ", .precision = -1};
    while (first < size && ((unsigned char)s[first] & 0xC0) == 0x80)
        first++;
    if (size > first && first < sizeof ret->fill && strchr("<>=^", s[first]) != NULL) {
        memcpy(ret->fill, s, first);
        ret->fill[first] = '\0';
        ret->align = s[first];
        has_fill = true;
        at = first + 1;
    } else if (size > 0 && strchr("<>=^", s[0]) != NULL) {
        ret->align = s[at++];
    }
    if (at < size && strchr("+- ", s[at]) != NULL)
        ret->sign = s[at++];
    if (at < size && s[at] == '#') {
        ret->alternate = true;
        at++;
    }
    if (at < size && s[at] == '0') {
        ret->zero = !has_fill;
        at++;
    }
    for (; at < size && isdigit((unsigned char)s[at]); at++)
        ret->width = ret->width * 10 + (size_t)(s[at] - '0');
    if (at < size && (s[at] == ',' || s[at] == '_'))
        ret->group = s[at++];
    if (at < size && s[at] == '.') {
        ret->precision = 0;
        for (at++; at < size && isdigit((unsigned char)s[at]); at++)
            ret->precision = ret->precision > 10000 ? 10001 : ret->precision * 10 + (s[at] - '0');
    }
    if (at < size)
        ret->type = s[at++];
    if (at < size)
        return raise_error(m, ERROR_VALUE, "Invalid format specifier");
    if (ret->width > 100000 || ret->precision > 10000)
        return raise_error(m, ERROR_VALUE, "Too many decimal digits in format string");
    return true;
}

static size_t characters(const char *s, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += ((unsigned char)s[i] & 0xC0) != 0x80;
    return n;
}

/* sign and body, padded to the width. */
static void pad(const struct spec *spec, const char *sign, const char *body, size_t size,
                char align, struct text *out)
{
    size_t n = strlen(sign) + characters(body, size);
    size_t more = spec->width > n ? spec->width - n : 0;
    align = spec->align != '\0' ? spec->align : spec->zero && align == '>' ? '=' : align;
    const char *fill = spec->zero ? "0" : spec->fill;
    size_t left = align == '>' ? more : align == '^' ? more / 2 : 0;
    text_repeat(out, fill, left);
    text_put(out, sign);
    if (align == '=')
        text_repeat(out, fill, more);
    text_add(out, body, size);
    if (align == '<' || align == '^')
        text_repeat(out, fill, more - left);
}

/* Digits before the point in groups of three (of four for _ in other bases). Where zeros fill the
 * width, of which `taken` characters are the sign and what follows, they are grouped too:
 * 0,001,234 */
static void group_digits(const char *digits, const struct spec *spec, size_t every, size_t taken,
                         struct text *out)
{
    size_t n = strspn(digits, "0123456789abcdefABCDEF"), n_zeros = 0;
    if (strpbrk(digits, "eE") != NULL && every == 3)
        n = strspn(digits, "0123456789");
    if (spec->zero && spec->align == '\0' && spec->group != '\0' && n > 0)
        for (taken += strlen(digits + n);
             n + n_zeros + (n + n_zeros - 1) / every + taken < spec->width;)
            n_zeros++;
    for (size_t i = 0; i < n_zeros + n; i++) {
        if (i > 0 && spec->group != '\0' && (n_zeros + n - i) % every == 0)
            text_char(out, spec->group);
        text_char(out, i < n_zeros ? '0' : digits[i - n_zeros]);
    }
    text_put(out, digits + n);
}

static const char *sign_of(const struct spec *spec, bool is_negative)
{
    return is_negative ? "-" : spec->sign == '+' ? "+" : spec->sign == ' ' ? " " : "";
}

static bool unknown_code(struct machine *m, const struct spec *spec, struct value v)
{
    return raise_error(m, ERROR_VALUE, "Unknown format code '%c' for object of type '%s'",
                       spec->type, value_class_name(m, v));
}

static void format_double(const struct spec *spec, double number, struct text *out)
{
    char type = spec->type == '\0' || spec->type == 'n' ? 'g' : spec->type;
    int precision = spec->precision >= 0 ? spec->precision : 6;
    struct text digits = {0}, body = {0};
    bool is_percent = type == '%', is_negative = signbit(number) && !isnan(number);
    number = fabs(number);
    if (is_percent) {
        number *= 100;
        type = 'f';
    }
    if (!isfinite(number)) {
        text_put(&digits, isnan(number) ? "nan" : "inf");
    } else if (spec->type == '\0' && spec->precision < 0) {
        number_repr(number, &digits);
    } else {
        char form[8] = {'%', '.', '*', type, '\0'};
        text_format(&digits, spec->alternate ? "%#.*g" : form, precision, number);
        if (spec->type == '\0' && isfinite(number) && strpbrk(text_string(&digits), ".e") == NULL)
            text_put(&digits, ".0");
    }
    const char *sign = sign_of(spec, is_negative);
    group_digits(text_string(&digits), spec, 3, strlen(sign) + is_percent, &body);
    text_put(&body, is_percent ? "%" : "");
    pad(spec, sign, text_string(&body), body.size, '>', out);
    text_release(&digits);
    text_release(&body);
}

static void format_whole(const struct spec *spec, int64_t whole, struct text *out)
{
    uint64_t n = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole;
    unsigned base = spec->type == 'b'                        ? 2
                    : spec->type == 'o'                      ? 8
                    : spec->type == 'x' || spec->type == 'X' ? 16
                                                             : 10;
    const char *letters = spec->type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char digits[70], *at = digits + sizeof digits - 1, sign[6];
    struct text body = {0};
    *at = '\0';
    do
        *--at = letters[n % base];
    while ((n /= base) > 0);
    snprintf(sign, sizeof sign, "%s%s", sign_of(spec, whole < 0),
             !spec->alternate || base == 10 ? ""
             : base == 2                    ? "0b"
             : base == 8                    ? "0o"
             : spec->type == 'X'            ? "0X"
                                            : "0x");
    group_digits(at, spec, base == 10 ? 3 : 4, strlen(sign), &body);
    pad(spec, sign, text_string(&body), body.size, '>', out);
    text_release(&body);
}

static void format_text(const struct spec *spec, const char *s, size_t size, struct text *out)
{
    if (spec->precision >= 0) {
        size_t n = 0, end = 0;
        while (end < size && n < (size_t)spec->precision) {
            end++;
            while (end < size && ((unsigned char)s[end] & 0xC0) == 0x80)
                end++;
            n++;
        }
        size = end;
    }
    pad(spec, "", s, size, '<', out);
}

bool value_format(struct machine *m, struct value v, const char *s, size_t size, struct text *out)
{
    struct spec spec;
    if (value_is(v, THING_INSTANCE)) {
        const struct value *method = class_find(class_of(m, v), m->names[NAME_FORMAT]);
        if (method != NULL && value_is(*method, THING_CLOSURE)) {
            struct value args[2] = {v, value_absent()}, result;
            if (!make_str(m, s, size, &args[1]))
                return false;
            bool ok = machine_call(m, *method, args, 2, NULL, &result);
            value_drop(args[1]);
            ok = ok && value_str(m, result, out);
            if (m->raised.kind == VALUE_ABSENT)
                value_drop(result);
            return ok;
        }
        v = value_payload(v);
    }
    if (is_ndarray(v) && size > 0) {
        const struct ndarray *a = as_ndarray(v);
        if (!a->is_scalar)
            return raise_error(m, ERROR_TYPE,
                               "unsupported format string passed to numpy.ndarray.__format__");
        v = nd_item(a, a->first);
    }
    if (is_tensor(v)) {
        struct node *node = tensor_node(m, as_tensor(v));
        if (node == NULL)
            return false;
        if (node->value.n_axes == 0 && as_tensor(v)->dtype != DTYPE_COMPLEX64 &&
            (!tensor_item(m, as_tensor(v), &v)))
            return false;
    }
    if (size == 0)
        return value_str(m, v, out);
    if (!read_spec(m, s, size, &spec))
        return false;
    bool is_whole = v.kind == VALUE_INT || v.kind == VALUE_BOOL;
    if (v.kind == VALUE_STRING) {
        if (spec.type != '\0' && spec.type != 's')
            return unknown_code(m, &spec, v);
        if (spec.align == '=')
            return raise_error(m, ERROR_VALUE,
                               "'=' alignment not allowed in string format specifier");
        format_text(&spec, v.as.string->bytes, v.as.string->size, out);
        return true;
    }
    if (is_whole && (spec.type == '\0' || strchr("dnbxXo", spec.type) != NULL)) {
        if (spec.precision >= 0)
            return raise_error(m, ERROR_VALUE, "Precision not allowed in integer format specifier");
        format_whole(&spec, v.as.whole, out);
        return true;
    }
    if (is_whole && spec.type == 'c') {
        char bytes[5] = "";
        utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)(v.as.whole & 0x1FFFFF),
                                                  (utf8proc_uint8_t *)bytes);
        format_text(&spec, bytes, n > 0 ? (size_t)n : 0, out);
        return true;
    }
    if (is_whole || v.kind == VALUE_FLOAT) {
        if (spec.type != '\0' && strchr("eEfFgG%n", spec.type) == NULL)
            return unknown_code(m, &spec, v);
        format_double(&spec, is_whole ? (double)v.as.whole : v.as.number, out);
        return true;
    }
    return raise_error(m, ERROR_TYPE, "unsupported format string passed to %s.__format__",
                       value_class_name(m, v));
}

/* ---- "%d %s" % values ---- */

/* A tensor or an array of one number becomes that number; other values stay as they are. */
static bool one_number(struct machine *m, struct value *v)
{
    if (is_tensor(*v))
        return tensor_item(m, as_tensor(*v), v);
    return !is_ndarray(*v) || nd_only(m, as_ndarray(*v), v);
}

static bool percent_one(struct machine *m, const struct spec *spec, struct value v,
                        struct text *out)
{
    struct text text = {0};
    double number;
    bool ok = true;
    if (strchr("diuxXoeEfFgGc", spec->type) != NULL && !one_number(m, &v))
        return false;
    switch (spec->type) {
    case 's':
    case 'r':
    case 'a':
        ok = value_convert(m, v, spec->type, &text);
        if (ok) {
            struct spec plain = *spec;
            plain.align = spec->align == '<' ? '<' : '>';
            plain.zero = false;
            format_text(&plain, text_string(&text), text.size, out);
        }
        text_release(&text);
        return ok;
    case 'c':
        if (v.kind == VALUE_STRING) {
            format_text(spec, v.as.string->bytes, v.as.string->size, out);
            return true;
        }
        return value_format(m, v, "c", 1, out);
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        if (v.kind == VALUE_FLOAT && spec->type != 'x')
            v = value_int((int64_t)v.as.number);
        if (v.kind != VALUE_INT && v.kind != VALUE_BOOL)
            return raise_error(m, ERROR_TYPE, "%%%c format: a real number is required, not %s",
                               spec->type, value_class_name(m, v));
        format_whole(spec, v.as.whole, out);
        return true;
    default:
        if (strchr("eEfFgG", spec->type) == NULL)
            return raise_error(m, ERROR_VALUE, "unsupported format character '%c'", spec->type);
        if (!value_number(m, v, &number))
            return false;
        format_double(spec, number, out);
        return true;
    }
}

bool text_percent(struct machine *m, const struct string *format, struct value args,
                  struct value *ret)
{
    struct text out = {0};
    bool is_tuple = value_is(args, THING_TUPLE), ok = true;
    size_t used = 0, n = is_tuple ? THING_AS(tuple, args)->n : 1;
    const struct value *items = is_tuple ? THING_AS(tuple, args)->items : &args;
    const char *s = format->bytes, *end = s + format->size;
    bool named = false;
    while (ok && s < end) {
        const char *percent = memchr(s, '%', (size_t)(end - s));
        text_add(&out, s, (size_t)((percent ? percent : end) - s));
        if (percent == NULL)
            break;
        s = percent + 1;
        if (s < end && *s == '%') {
            text_char(&out, '%');
            s++;
            continue;
        }
        struct spec spec = {.fill = " ", .precision = -1};
        struct value v = value_absent();
        if (s < end && *s == '(') {
            const char *close = memchr(s, ')', (size_t)(end - s));
            struct value key;
            ok = close != NULL || raise_error(m, ERROR_VALUE, "incomplete format key");
            if (!ok || !make_str(m, s + 1, (size_t)(close - s - 1), &key))
                break;
            ok = index_get(m, args, key, &v);
            value_drop(key);
            named = true;
            s = ok ? close + 1 : s;
        }
        for (; s < end && strchr("-+ #0", *s) != NULL; s++) {
            spec.align = *s == '-' ? '<' : spec.align;
            spec.sign = *s == '+' || *s == ' ' ? *s : spec.sign;
            spec.alternate = spec.alternate || *s == '#';
            spec.zero = spec.zero || *s == '0';
        }
        spec.zero = spec.zero && spec.align == '\0';
        if (s < end && *s == '*' && used < n && items[used].kind == VALUE_INT) {
            spec.width = (size_t)(items[used].as.whole & 0xFFFF);
            used++;
            s++;
        }
        for (; s < end && isdigit((unsigned char)*s) && spec.width < 100000; s++)
            spec.width = spec.width * 10 + (size_t)(*s - '0');
        if (s < end && *s == '.') {
            spec.precision = 0;
            for (s++; s < end && isdigit((unsigned char)*s) && spec.precision < 10000; s++)
                spec.precision = spec.precision * 10 + (*s - '0');
        }
        while (s < end && (*s == 'l' || *s == 'h'))
            s++;
        if (ok && s >= end)
            ok = raise_error(m, ERROR_VALUE, "incomplete format");
        if (ok && !named) {
            ok = used < n || raise_error(m, ERROR_TYPE, "not enough arguments for format string");
            if (ok)
                v = value_take(items[used++]);
        }
        if (ok) {
            spec.type = *s++;
            ok = percent_one(m, &spec, v, &out);
        }
        value_drop(v);
    }
    if (ok && !named && used < n && (is_tuple || !value_is(args, THING_DICT)))
        ok = raise_error(m, ERROR_TYPE, "not all arguments converted during string formatting");
    if (!ok) {
        text_release(&out);
        return false;
    }
    return text_to_str(m, &out, ret);
}

/* ---- str.format() ---- */

struct fields {
    const struct value *args, *names, *values;
    size_t n, n_named, next;
};

/* The value of a field such as 0, name, name.attribute, name[0]. */
static bool field_value(struct machine *m, struct fields *fields, const char *s, size_t size,
                        struct value *ret)
{
    size_t first = 0;
    while (first < size && s[first] != '.' && s[first] != '[')
        first++;
    struct value v = value_absent();
    if (first == 0 || isdigit((unsigned char)s[0])) {
        size_t i = first == 0 ? fields->next++ : (size_t)strtoul(s, NULL, 10);
        if (i >= fields->n)
            return raise_error(m, ERROR_INDEX,
                               "Replacement index %zu out of range for positional args tuple", i);
        v = value_take(fields->args[i]);
    }
    for (size_t i = 0; v.kind == VALUE_ABSENT && i < fields->n_named; i++)
        if (fields->names[i].as.string->size == first &&
            memcmp(fields->names[i].as.string->bytes, s, first) == 0)
            v = value_take(fields->values[i]);
    if (v.kind == VALUE_ABSENT) {
        struct value key;
        if (make_str(m, s, first, &key)) {
            raise_key(m, key);
            value_drop(key);
        }
        return false;
    }
    for (size_t at = first; at < size;) {
        size_t end = at + 1;
        struct value part = value_absent(), key = value_absent();
        bool is_index = s[at] == '[', ok;
        while (end < size && (is_index ? s[end] != ']' : s[end] != '.' && s[end] != '['))
            end++;
        if (is_index && isdigit((unsigned char)s[at + 1]))
            key = value_int(strtol(s + at + 1, NULL, 10));
        else if (!make_str(m, s + at + 1, end - at - 1, &key))
            return false;
        struct string *name =
            is_index ? NULL : intern(m, key.as.string->bytes, key.as.string->size);
        ok = is_index ? index_get(m, v, key, &part) : name && attribute_get(m, v, name, &part);
        value_drop(key);
        value_drop(v);
        if (!ok)
            return false;
        v = part;
        at = end + is_index;
    }
    *ret = v;
    return true;
}

static bool format_into(struct machine *m, const char *s, size_t size, struct fields *fields,
                        unsigned depth, struct text *out)
{
    for (size_t at = 0; at < size;) {
        char c = s[at];
        if ((c == '{' || c == '}') && at + 1 < size && s[at + 1] == c) {
            text_char(out, c);
            at += 2;
            continue;
        }
        if (c == '}')
            return raise_error(m, ERROR_VALUE, "Single '}' encountered in format string");
        if (c != '{') {
            text_char(out, c);
            at++;
            continue;
        }
        size_t end = ++at, level = 1, colon = SIZE_MAX, mark = SIZE_MAX;
        for (; end < size; end++) {
            level += s[end] == '{';
            level -= s[end] == '}';
            if (level == 0)
                break;
            if (s[end] == '!' && colon == SIZE_MAX && mark == SIZE_MAX)
                mark = end;
            if (s[end] == ':' && colon == SIZE_MAX)
                colon = end;
        }
        if (end >= size || depth > 2)
            return raise_error(m, ERROR_VALUE, "Single '{' encountered in format string");
        size_t name_end = mark < end ? mark : colon < end ? colon : end;
        struct value v;
        struct text spec = {0}, text = {0};
        if (!field_value(m, fields, s + at, name_end - at, &v))
            return false;
        bool ok = colon >= end ||
                  format_into(m, s + colon + 1, end - colon - 1, fields, depth + 1, &spec);
        if (ok && mark < end) {
            struct value said;
            ok = value_convert(m, v, s[mark + 1], &text) && text_to_str(m, &text, &said);
            if (ok)
                value_put(&v, said);
        }
        ok = ok && value_format(m, v, text_string(&spec), spec.size, out);
        value_drop(v);
        text_release(&spec);
        if (!ok)
            return false;
        at = end + 1;
    }
    return true;
}

bool text_brace_format(struct machine *m, const struct string *format, const struct value *args,
                       size_t n, const struct value *names, const struct value *values,
                       size_t n_named, struct value *ret)
{
    struct fields fields = {args, names, values, n, n_named, 0};
    struct text out = {0};
    if (!format_into(m, format->bytes, format->size, &fields, 0, &out)) {
        text_release(&out);
        return false;
    }
    return text_to_str(m, &out, ret);
}
