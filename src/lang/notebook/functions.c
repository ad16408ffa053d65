/* Python's own functions, and what its classes make: len(), sorted(), int(), dict(), ... */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "lang/notebook/ndarray_internal.h"

#define FUNCTION(name) static bool name(struct native_call *c, struct value *ret)

static bool given(const struct native_call *c, size_t i)
{
    return c->args[i].kind != VALUE_ABSENT && c->args[i].kind != VALUE_NONE;
}

/* ---- print ---- */

/* print(..., file=f) calls f.write(text). */
static bool write_to(struct machine *m, struct value file, const struct text *out)
{
    struct value text, ignored;
    struct string *name = intern(m, "write", 5);
    bool found = false;
    if (name == NULL || !make_str(m, text_string(out), out->size, &text))
        return false;
    bool ok = machine_call_method(m, file, name, &text, 1, &ignored, &found);
    value_drop(text);
    if (ok && found)
        value_drop(ignored);
    return ok && (found || raise_error(m, ERROR_ATTRIBUTE, "'%s' object has no attribute 'write'",
                                       value_class_name(m, file)));
}

FUNCTION(run_print)
{
    struct text out = {0};
    bool ok = true;
    const char *between = c->args[0].kind == VALUE_STRING ? c->args[0].as.string->bytes : " ";
    for (size_t i = 0; ok && i < c->n_rest; i++) {
        if (i > 0)
            text_put(&out, between);
        ok = value_str(c->m, c->rest[i], &out);
    }
    text_put(&out, c->args[1].kind == VALUE_STRING ? c->args[1].as.string->bytes : "\n");
    if (ok && out.failed)
        ok = raise_memory(c->m);
    if (ok && given(c, 2))
        ok = write_to(c->m, c->args[2], &out);
    else if (ok)
        machine_print(c->m, text_string(&out), out.size);
    text_release(&out);
    *ret = value_none();
    return ok;
}

/* ---- questions ---- */

FUNCTION(run_len)
{
    int64_t n;
    if (!value_length(c->m, c->args[0], &n))
        return false;
    *ret = value_int(n);
    return true;
}

static bool shown(struct native_call *c, char conversion, struct value *ret)
{
    struct text out = {0};
    if (!value_convert(c->m, c->args[0], conversion, &out)) {
        text_release(&out);
        return false;
    }
    return text_to_str(c->m, &out, ret);
}
FUNCTION(run_repr)
{
    return shown(c, 'r', ret);
}
FUNCTION(run_ascii)
{
    return shown(c, 'a', ret);
}

FUNCTION(run_format)
{
    struct text out = {0};
    bool has = c->args[1].kind == VALUE_STRING;
    if (!value_format(c->m, c->args[0], has ? c->args[1].as.string->bytes : "",
                      has ? c->args[1].as.string->size : 0, &out)) {
        text_release(&out);
        return false;
    }
    return text_to_str(c->m, &out, ret);
}

static bool is_of(struct machine *m, struct value v, struct value class, bool subclass, bool *ret)
{
    if (value_is(class, THING_TUPLE)) {
        const struct tuple *all = THING_AS(tuple, class);
        *ret = false;
        for (size_t i = 0; i < all->n && !*ret; i++)
            if (!is_of(m, v, all->items[i], subclass, ret))
                return false;
        return true;
    }
    if (!value_is(class, THING_CLASS))
        return raise_error(m, ERROR_TYPE,
                           subclass ? "issubclass() arg 2 must be a class, a tuple of "
                                      "classes, or a union"
                                    : "isinstance() arg 2 must be a type, a tuple of "
                                      "types, or a union");
    *ret = subclass ? class_is(THING_AS(class, v), THING_AS(class, class))
                    : value_isinstance(m, v, THING_AS(class, class));
    return true;
}

FUNCTION(run_isinstance)
{
    bool truth;
    if (!is_of(c->m, c->args[0], c->args[1], false, &truth))
        return false;
    *ret = value_bool(truth);
    return true;
}

FUNCTION(run_issubclass)
{
    bool truth;
    if (!value_is(c->args[0], THING_CLASS))
        return raise_error(c->m, ERROR_TYPE, "issubclass() arg 1 must be a class");
    if (!is_of(c->m, c->args[0], c->args[1], true, &truth))
        return false;
    *ret = value_bool(truth);
    return true;
}

FUNCTION(run_callable)
{
    struct value v = c->args[0];
    bool is = v.kind == VALUE_THING;
    if (is)
        switch (thing_id(v.as.thing)) {
        case THING_CLOSURE:
        case THING_BUILTIN:
        case THING_BOUND:
        case THING_CLASS:
            break;
        case THING_INSTANCE:
            is = class_find(class_of(c->m, v), c->m->names[NAME_CALL]) != NULL;
            break;
        default:
            is = false;
        }
    *ret = value_bool(is);
    return true;
}

static struct string *name_argument(struct native_call *c, size_t i)
{
    if (c->args[i].kind == VALUE_STRING)
        return intern(c->m, c->args[i].as.string->bytes, c->args[i].as.string->size);
    raise_error(c->m, ERROR_TYPE, "attribute name must be string, not '%s'",
                value_class_name(c->m, c->args[i]));
    return NULL;
}

FUNCTION(run_getattr)
{
    struct string *name = name_argument(c, 1);
    if (name == NULL)
        return false;
    if (c->args[2].kind == VALUE_ABSENT)
        return attribute_get(c->m, c->args[0], name, ret);
    if (!attribute_try(c->m, c->args[0], name, ret)) {
        if (!raised_is(c->m, ERROR_ATTRIBUTE))
            return false;
        raised_clear(c->m);
        *ret = value_absent();
    }
    if (ret->kind == VALUE_ABSENT)
        *ret = value_take(c->args[2]);
    return true;
}

FUNCTION(run_hasattr)
{
    struct string *name = name_argument(c, 1);
    struct value v = value_absent();
    if (name == NULL)
        return false;
    if (!attribute_try(c->m, c->args[0], name, &v)) {
        if (!raised_is(c->m, ERROR_ATTRIBUTE))
            return false;
        raised_clear(c->m);
        v = value_absent();
    }
    *ret = value_bool(v.kind != VALUE_ABSENT);
    value_drop(v);
    return true;
}

FUNCTION(run_setattr)
{
    struct string *name = name_argument(c, 1);
    *ret = value_none();
    return name != NULL && attribute_set(c->m, c->args[0], name, value_take(c->args[2]));
}

FUNCTION(run_delattr)
{
    struct string *name = name_argument(c, 1);
    *ret = value_none();
    return name != NULL && attribute_delete(c->m, c->args[0], name);
}

FUNCTION(run_id)
{
    *ret = value_int((int64_t)((uintptr_t)c->args[0].as.thing & INT64_MAX));
    return true;
}

FUNCTION(run_hash)
{
    uint64_t hash;
    if (c->args[0].kind == VALUE_INT) {
        *ret = c->args[0];
        return true;
    }
    if (!value_hash(c->m, c->args[0], &hash))
        return false;
    *ret = value_int((int64_t)(hash >> 3));
    return true;
}

/* ---- numbers ---- */

/* A method of args[0] that attn itself has. */
static bool call_own(struct machine *m, enum known_name name, const struct value *args, size_t n,
                     struct value *ret)
{
    const struct value *method = class_find(class_of(m, args[0]), m->names[name]);
    return method != NULL ? machine_call(m, *method, args, n, NULL, ret)
                          : raise_error(m, ERROR_ATTRIBUTE, "'%s' object has no attribute '%s'",
                                        value_class_name(m, args[0]), m->names[name]->bytes);
}

FUNCTION(run_abs)
{
    struct value v = c->args[0];
    bool found = false;
    if (v.kind == VALUE_FLOAT) {
        *ret = value_float(fabs(v.as.number));
        return true;
    }
    if (v.kind == VALUE_INT || v.kind == VALUE_BOOL) {
        if (v.as.whole < 0)
            return operate_unary(c->m, SIGN_NEG, v, ret);
        *ret = value_int(v.as.whole);
        return true;
    }
    if (!machine_call_method(c->m, v, c->m->names[NAME_ABS], NULL, 0, ret, &found) || found)
        return found && c->m->raised.kind == VALUE_ABSENT;
    if (is_ndarray(v) || is_tensor(v))
        return call_own(c->m, NAME_ABS, &v, 1, ret);
    return raise_error(c->m, ERROR_TYPE, "bad operand type for abs(): '%s'",
                       value_class_name(c->m, v));
}

/* As Python rounds: through the decimal digits of the double, halves to even. */
static double round_digits(double number, int64_t digits)
{
    char text[400];
    if (!isfinite(number) || digits > 300)
        return number;
    if (digits >= 0) {
        snprintf(text, sizeof text, "%.*f", (int)digits, number);
        return strtod(text, NULL);
    }
    double scale = pow(10, (double)-digits);
    return rint(number / scale) * scale;
}

FUNCTION(run_round)
{
    struct value v = c->args[0];
    int64_t digits = 0;
    bool found = false;
    if (given(c, 1) && !value_whole(c->m, c->args[1], &digits))
        return false;
    if (is_ndarray(v) && !as_ndarray(v)->is_scalar)
        return raise_error(c->m, ERROR_TYPE, "type numpy.ndarray doesn't define __round__ method");
    if (is_ndarray(v) && !given(c, 1) && !nd_only(c->m, as_ndarray(v), &v))
        return false;
    if (v.kind == VALUE_INT || v.kind == VALUE_BOOL) {
        *ret =
            value_int(digits < 0 ? (int64_t)round_digits((double)v.as.whole, digits) : v.as.whole);
        return true;
    }
    if (v.kind == VALUE_FLOAT) {
        if (given(c, 1)) {
            *ret = value_float(round_digits(v.as.number, digits));
            return true;
        }
        if (!isfinite(v.as.number) || fabs(v.as.number) > 9.2e18)
            return raise_error(c->m, isnan(v.as.number) ? ERROR_VALUE : ERROR_OVERFLOW,
                               "cannot convert float %s to integer",
                               isnan(v.as.number) ? "NaN" : "infinity");
        *ret = value_int((int64_t)rint(v.as.number));
        return true;
    }
    if (!machine_call_method(c->m, v, c->m->names[NAME_ROUND], &c->args[1], given(c, 1), ret,
                             &found) ||
        found)
        return found && c->m->raised.kind == VALUE_ABSENT;
    if (is_ndarray(v)) {
        struct value args[2] = {v, value_int(digits)};
        return call_own(c->m, NAME_ROUND, args, 2, ret);
    }
    return raise_error(c->m, ERROR_TYPE, "type %s doesn't define __round__ method",
                       value_class_name(c->m, v));
}

FUNCTION(run_pow)
{
    int64_t base, exponent, modulus;
    if (!given(c, 2))
        return operate(c->m, SIGN_POW, c->args[0], c->args[1], false, ret);
    if (!value_whole(c->m, c->args[0], &base) || !value_whole(c->m, c->args[1], &exponent) ||
        !value_whole(c->m, c->args[2], &modulus))
        return false;
    if (modulus <= 0 || modulus > INT32_MAX || exponent < 0)
        return raise_error(c->m, ERROR_VALUE, "pow() with a modulus takes 1 to 2147483647 here");
    int64_t result = 1 % modulus;
    for (base = (base % modulus + modulus) % modulus; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    *ret = value_int(result);
    return true;
}

FUNCTION(run_divmod)
{
    struct value pair[2] = {value_absent(), value_absent()};
    bool ok = operate(c->m, SIGN_FLOOR, c->args[0], c->args[1], false, &pair[0]) &&
              operate(c->m, SIGN_MOD, c->args[0], c->args[1], false, &pair[1]) &&
              make_tuple(c->m, pair, 2, ret);
    value_drop(pair[0]);
    value_drop(pair[1]);
    return ok;
}

FUNCTION(run_sum)
{
    struct value iterator, item, total = given(c, 1) ? value_take(c->args[1]) : value_int(0), next;
    if (total.kind == VALUE_STRING) {
        value_drop(total);
        return raise_error(c->m, ERROR_TYPE, "sum() can't sum strings [use ''.join(seq) instead]");
    }
    if (!value_iterate(c->m, c->args[0], &iterator)) {
        value_drop(total);
        return false;
    }
    bool ok = true;
    while (ok && (ok = iterator_next(c->m, iterator, &item)) && item.kind != VALUE_ABSENT) {
        ok = operate(c->m, SIGN_ADD, total, item, false, &next) && machine_tick(c->m);
        value_drop(item);
        if (ok)
            value_put(&total, next);
    }
    value_drop(iterator);
    if (!ok)
        value_drop(total);
    *ret = ok ? total : value_none();
    return ok;
}

/* The key of an item: what key= gives for it, or itself. */
static bool key_of(struct machine *m, struct value key, struct value item, struct value *ret)
{
    if (key.kind != VALUE_ABSENT && key.kind != VALUE_NONE)
        return machine_call(m, key, &item, 1, NULL, ret);
    *ret = value_take(item);
    return true;
}

static bool extreme(struct native_call *c, bool is_max, struct value *ret)
{
    struct array *items;
    struct value best_key = value_absent();
    size_t best = 0;
    bool ok = true;
    if (c->n_rest == 0)
        return raise_error(c->m, ERROR_TYPE, "%s expected at least 1 argument, got 0",
                           c->native->name);
    if (c->n_rest == 1) {
        if (!value_to_array(c->m, c->rest[0], &items))
            return false;
    } else {
        struct value all;
        if (!make_tuple(c->m, c->rest, c->n_rest, &all))
            return false;
        ok = value_to_array(c->m, all, &items);
        value_drop(all);
        if (!ok)
            return false;
    }
    for (size_t i = 0; ok && i < items->n; i++) {
        struct value key;
        bool better = i == 0;
        ok = key_of(c->m, c->args[0], items->items[i], &key);
        if (ok && i > 0)
            ok = is_max ? value_less(c->m, best_key, key, &better)
                        : value_less(c->m, key, best_key, &better);
        if (ok && better) {
            best = i;
            value_put(&best_key, key);
        } else if (ok) {
            value_drop(key);
        }
    }
    if (ok && items->n > 0)
        *ret = value_take(items->items[best]);
    else if (ok && c->args[1].kind != VALUE_ABSENT)
        *ret = value_take(c->args[1]);
    else if (ok)
        ok = raise_error(c->m, ERROR_VALUE, "%s() arg is an empty sequence", c->native->name);
    value_drop(best_key);
    value_drop(value_thing(items));
    return ok;
}

FUNCTION(run_max)
{
    return extreme(c, true, ret);
}
FUNCTION(run_min)
{
    return extreme(c, false, ret);
}

static bool all_or_any(struct native_call *c, bool wanted, struct value *ret)
{
    struct value iterator, item;
    bool truth = !wanted, ok = true;
    if (!value_iterate(c->m, c->args[0], &iterator))
        return false;
    while (truth != wanted && (ok = iterator_next(c->m, iterator, &item)) &&
           item.kind != VALUE_ABSENT) {
        ok = value_truth(c->m, item, &truth);
        value_drop(item);
        if (!ok)
            break;
    }
    value_drop(iterator);
    *ret = value_bool(truth);
    return ok;
}

FUNCTION(run_all)
{
    return all_or_any(c, false, ret);
}
FUNCTION(run_any)
{
    return all_or_any(c, true, ret);
}

static bool in_base(struct native_call *c, char type, struct value *ret)
{
    int64_t whole;
    char spec[3] = {'#', type, '\0'};
    struct text out = {0};
    if (!value_whole(c->m, c->args[0], &whole) ||
        !value_format(c->m, value_int(whole), spec, 2, &out))
        return false;
    return text_to_str(c->m, &out, ret);
}
FUNCTION(run_bin)
{
    return in_base(c, 'b', ret);
}
FUNCTION(run_oct)
{
    return in_base(c, 'o', ret);
}
FUNCTION(run_hex)
{
    return in_base(c, 'x', ret);
}

FUNCTION(run_chr)
{
    int64_t code;
    char bytes[5];
    if (!value_whole(c->m, c->args[0], &code))
        return false;
    if (code < 0 || code > 0x10FFFF)
        return raise_error(c->m, ERROR_VALUE, "chr() arg not in range(0x110000)");
    utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)bytes);
    return make_str(c->m, bytes, n > 0 ? (size_t)n : 0, ret);
}

FUNCTION(run_ord)
{
    utf8proc_int32_t code = 0;
    const struct string *s = c->args[0].as.string;
    if (c->args[0].kind != VALUE_STRING)
        return raise_error(c->m, ERROR_TYPE, "ord() expected string of length 1, but %s found",
                           value_class_name(c->m, c->args[0]));
    if (str_length(s) != 1)
        return raise_error(c->m, ERROR_TYPE,
                           "ord() expected a character, but string of length %zu found",
                           str_length(s));
    (void)utf8proc_iterate((const utf8proc_uint8_t *)s->bytes, (utf8proc_ssize_t)s->size, &code);
    *ret = value_int(code);
    return true;
}

/* ---- sequences ---- */

struct sort_item {
    struct value key, item;
};

/* Merges two sorted halves; equal items keep their order. */
static bool merge_sort(struct machine *m, struct sort_item *items, struct sort_item *room, size_t n,
                       bool reverse)
{
    if (n < 2)
        return true;
    size_t half = n / 2, a = 0, b = half;
    if (!merge_sort(m, items, room, half, reverse) ||
        !merge_sort(m, items + half, room, n - half, reverse))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool second = a >= half;
        if (a < half && b < n &&
            !(reverse ? value_less(m, items[a].key, items[b].key, &second)
                      : value_less(m, items[b].key, items[a].key, &second)))
            return false;
        room[i] = second ? items[b++] : items[a++];
    }
    memcpy(items, room, n * sizeof *items);
    return true;
}

bool array_sort(struct machine *m, struct array *array, struct value key, bool reverse)
{
    size_t n = array->n;
    struct sort_item *items = calloc(2 * n + 1, sizeof *items);
    bool ok = items != NULL || raise_memory(m);
    size_t n_keys = 0;
    for (; ok && n_keys < n; n_keys++) {
        items[n_keys].item = array->items[n_keys];
        ok = key_of(m, key, array->items[n_keys], &items[n_keys].key);
        if (!ok)
            break;
    }
    ok = ok && merge_sort(m, items, items + n, n, reverse);
    if (ok && array->n != n)
        ok = raise_error(m, ERROR_VALUE, "list modified during sort");
    for (size_t i = 0; ok && i < n; i++)
        array->items[i] = items[i].item;
    for (size_t i = 0; i < n_keys; i++)
        value_drop(items[i].key);
    free(items);
    return ok;
}

FUNCTION(run_sorted)
{
    struct array *array;
    bool reverse = false;
    if (!value_to_array(c->m, c->args[0], &array))
        return false;
    if (!value_truth(c->m, c->args[2], &reverse) || !array_sort(c->m, array, c->args[1], reverse)) {
        value_drop(value_thing(array));
        return false;
    }
    *ret = value_thing(array);
    return true;
}

FUNCTION(run_iter)
{
    if (c->args[1].kind == VALUE_ABSENT)
        return value_iterate(c->m, c->args[0], ret);
    return iterator_new(c->m, ITERATE_CALL, value_take(c->args[0]), value_take(c->args[1]), ret);
}

FUNCTION(run_next)
{
    if (value_is(c->args[0], THING_LIST) || c->args[0].kind != VALUE_THING)
        return raise_error(c->m, ERROR_TYPE, "'%s' object is not an iterator",
                           value_class_name(c->m, c->args[0]));
    if (!iterator_next(c->m, c->args[0], ret))
        return false;
    if (ret->kind != VALUE_ABSENT)
        return true;
    if (c->args[1].kind == VALUE_ABSENT) {
        struct value error, result = value_absent();
        if (value_is(c->args[0], THING_GENERATOR))
            result = THING_AS(generator, c->args[0])->result;
        if (value_make_error(c->m, c->m->errors[ERROR_STOP], &result,
                             result.kind != VALUE_ABSENT && result.kind != VALUE_NONE, &error))
            raise_value(c->m, error);
        return false;
    }
    *ret = value_take(c->args[1]);
    return true;
}

FUNCTION(run_input)
{
    (void)ret;
    return raise_error(c->m, ERROR_EOF, "input() has nobody to ask; give the value in the cell");
}

static bool refuse_files(struct native_call *c, struct value *ret)
{
    (void)ret;
    return raise_error(c->m, ERROR_PERMISSION, "%s() is not here: a cell runs no code from texts",
                       c->native->name);
}

/* A copy of the names of the cell; those with a dot belong to modules in Python. */
FUNCTION(run_globals)
{
    struct table *table = table_new(&c->m->things, THING_DICT);
    bool ok = table != NULL;
    for (size_t i = 0; ok && i < c->m->global_places->n_entries; i++) {
        const struct entry *entry = &c->m->global_places->entries[i];
        struct value v = c->m->globals[entry->value.as.whole];
        if (v.kind != VALUE_ABSENT && strchr(entry->key.as.string->bytes, '.') == NULL)
            ok = table_put_name(table, entry->key.as.string, value_take(v));
    }
    *ret = value_thing(table);
    return ok || raise_memory(c->m);
}

/* The variables of the function that calls, those that inner functions use too after the others. */
static bool local_names(struct machine *m, const struct frame *frame, struct table *table)
{
    const struct code *code = frame->code;
    size_t n_formals = code->n_plain + code->n_keyword + code->has_rest + code->has_keywords;
    for (int late = 0; late < 2; late++)
        for (size_t i = 0; i < code->n_slots; i++) {
            struct value v = frame->slots[i];
            bool is_shared = value_is(v, THING_VARIABLE), is_late = is_shared && i >= n_formals;
            struct value name = code->names[i];
            if (is_late != (late == 1) || name.kind != VALUE_STRING)
                continue;
            if (is_shared)
                v = THING_AS(variable, v)->value;
            if (v.kind == VALUE_ABSENT)
                continue;
            struct string *key = intern(m, name.as.string->bytes, name.as.string->size);
            if (key == NULL || !table_put_name(table, key, value_take(v)))
                return raise_memory(m);
        }
    return true;
}

FUNCTION(run_locals)
{
    const struct frame *frame = c->m->frame;
    if (frame == NULL || frame->attributes != NULL) {
        *ret = frame != NULL ? value_take(value_thing(frame->attributes)) : value_none();
        return true;
    }
    if (frame->function.kind == VALUE_ABSENT)
        return run_globals(c, ret);
    struct table *table = table_new(&c->m->things, THING_DICT);
    *ret = value_thing(table);
    return table != NULL ? local_names(c->m, frame, table) : raise_memory(c->m);
}

FUNCTION(run_vars)
{
    return c->args[0].kind == VALUE_ABSENT
               ? run_locals(c, ret)
               : attribute_get(c->m, c->args[0], c->m->names[NAME_DICT], ret);
}

static const struct native functions[] = {
    {"print", {"*values", "sep= ", "end=\n", "file=None", "flush=False"}, run_print},
    {"len", {"obj"}, run_len},
    {"repr", {"obj"}, run_repr},
    {"ascii", {"obj"}, run_ascii},
    {"format", {"value", "format_spec="}, run_format},
    {"isinstance", {"obj", "class_or_tuple"}, run_isinstance},
    {"issubclass", {"cls", "class_or_tuple"}, run_issubclass},
    {"callable", {"obj"}, run_callable},
    {"getattr", {"object", "name", "default="}, run_getattr},
    {"hasattr", {"obj", "name"}, run_hasattr},
    {"setattr", {"obj", "name", "value"}, run_setattr},
    {"delattr", {"obj", "name"}, run_delattr},
    {"id", {"obj"}, run_id},
    {"hash", {"obj"}, run_hash},
    {"vars", {"object="}, run_vars},
    {"abs", {"x"}, run_abs},
    {"round", {"number", "ndigits=None"}, run_round},
    {"pow", {"base", "exp", "mod=None"}, run_pow},
    {"divmod", {"x", "y"}, run_divmod},
    {"sum", {"iterable", "start=0"}, run_sum},
    {"max", {"*args", "key=None", "default="}, run_max},
    {"min", {"*args", "key=None", "default="}, run_min},
    {"all", {"iterable"}, run_all},
    {"any", {"iterable"}, run_any},
    {"bin", {"number"}, run_bin},
    {"oct", {"number"}, run_oct},
    {"hex", {"number"}, run_hex},
    {"chr", {"i"}, run_chr},
    {"ord", {"c"}, run_ord},
    {"sorted", {"iterable", "*", "key=None", "reverse=False"}, run_sorted},
    {"iter", {"object", "sentinel="}, run_iter},
    {"next", {"iterator", "default="}, run_next},
    {"input", {"prompt="}, run_input},
    {"eval", {"source", "*rest"}, refuse_files},
    {"exec", {"source", "*rest"}, refuse_files},
    {"compile", {"source", "*rest", "**named"}, refuse_files},
    {"__import__", {"name", "*rest"}, refuse_files},
    {"globals", {NULL}, run_globals},
    {"locals", {NULL}, run_locals},
};
const struct native_table functions_of_python = {functions, sizeof functions / sizeof *functions};

/* ---- what classes make ---- */

static bool to_int(struct machine *m, struct value v, struct value base, struct value *ret)
{
    bool found = false;
    if (v.kind == VALUE_ABSENT) {
        *ret = value_int(0);
        return true;
    }
    if (value_is(v, THING_INSTANCE) && value_payload(v).kind < VALUE_THING)
        v = value_payload(v);
    if (is_tensor(v) && !tensor_item(m, as_tensor(v), &v))
        return false;
    if (is_ndarray(v) && !nd_only(m, as_ndarray(v), &v))
        return false;
    if (v.kind == VALUE_INT || v.kind == VALUE_BOOL) {
        *ret = value_int(v.as.whole);
        return true;
    }
    if (v.kind == VALUE_FLOAT) {
        if (isnan(v.as.number) || isinf(v.as.number))
            return raise_error(m, isnan(v.as.number) ? ERROR_VALUE : ERROR_OVERFLOW,
                               "cannot convert float %s to integer",
                               isnan(v.as.number) ? "NaN" : "infinity");
        if (fabs(v.as.number) >= 9.2233720368547758e18)
            return raise_error(m, ERROR_OVERFLOW, "whole numbers have 64 bits in attn");
        *ret = value_int((int64_t)v.as.number);
        return true;
    }
    if (v.kind == VALUE_STRING) {
        struct text digits = {0};
        int radix = base.kind == VALUE_INT ? (int)base.as.whole : 10;
        const char *s = v.as.string->bytes;
        size_t size = v.as.string->size;
        while (size > 0 && isspace((unsigned char)*s)) {
            s++;
            size--;
        }
        while (size > 0 && isspace((unsigned char)s[size - 1]))
            size--;
        for (size_t i = 0; i < size; i++)
            if (s[i] != '_')
                text_char(&digits, s[i]);
        char *end;
        const char *first = text_string(&digits);
        errno = 0;
        long long whole = strtoll(first, &end, radix);
        bool ok = digits.size > 0 && *end == '\0' && !isspace((unsigned char)*first);
        bool fits = errno != ERANGE;
        text_release(&digits);
        if (ok && !fits)
            return raise_error(m, ERROR_OVERFLOW, "whole numbers have 64 bits in attn");
        if (!ok) {
            struct text shown = {0};
            (void)value_repr(m, v, &shown);
            raise_error(m, ERROR_VALUE, "invalid literal for int() with base %d: %s", radix,
                        text_string(&shown));
            text_release(&shown);
            return false;
        }
        *ret = value_int(whole);
        return true;
    }
    for (int i = 0; i < 2 && !found; i++)
        if (!machine_call_method(m, v, m->names[i ? NAME_INDEX : NAME_INT], NULL, 0, ret, &found))
            return false;
    return found || raise_error(m, ERROR_TYPE,
                                "int() argument must be a string, a bytes-like object or a real "
                                "number, not '%s'",
                                value_class_name(m, v));
}

static bool to_float(struct machine *m, struct value v, struct value *ret)
{
    double number;
    if (v.kind == VALUE_ABSENT) {
        *ret = value_float(0);
        return true;
    }
    if (v.kind != VALUE_STRING) {
        if (!value_number(m, v, &number)) {
            if (raised_is(m, ERROR_TYPE) && !is_ndarray(v)) {
                raised_clear(m);
                raise_error(m, ERROR_TYPE,
                            "float() argument must be a string or a real number, not '%s'",
                            value_class_name(m, v));
            }
            return false;
        }
        *ret = value_float(number);
        return true;
    }
    const char *s = v.as.string->bytes;
    while (isspace((unsigned char)*s))
        s++;
    char *end;
    number = strtod(s, &end);
    bool ok = end > s && strpbrk(s, "xXpP(") == NULL;
    while (isspace((unsigned char)*end))
        end++;
    if (!ok || *end != '\0') {
        struct text shown = {0};
        (void)value_repr(m, v, &shown);
        raise_error(m, ERROR_VALUE, "could not convert string to float: %s", text_string(&shown));
        text_release(&shown);
        return false;
    }
    *ret = value_float(number);
    return true;
}

static bool to_str(struct machine *m, struct value v, struct value *ret)
{
    struct text out = {0};
    if (v.kind == VALUE_ABSENT)
        return make_str(m, "", 0, ret);
    if (!value_str(m, v, &out)) {
        text_release(&out);
        return false;
    }
    return text_to_str(m, &out, ret);
}

static bool to_table(struct machine *m, enum thing_id id, struct value v, struct value *ret)
{
    struct table *table = table_new(&m->things, id);
    struct value iterator, item;
    bool ok = table != NULL || raise_memory(m);
    if (ok && id == THING_DICT) {
        ok = v.kind == VALUE_ABSENT || dict_update(m, table, v);
    } else if (ok && v.kind != VALUE_ABSENT) {
        ok = value_iterate(m, v, &iterator);
        if (ok) {
            while ((ok = iterator_next(m, iterator, &item)) && item.kind != VALUE_ABSENT)
                if (!(ok = dict_put(m, table, item, value_absent())))
                    break;
            value_drop(iterator);
        }
    }
    if (!ok)
        value_drop(value_thing(table));
    *ret = ok ? value_thing(table) : value_absent();
    return ok;
}

static bool to_range(struct machine *m, const struct value *args, size_t n, struct value *ret)
{
    int64_t parts[3] = {0, 0, 1};
    if (n == 0 || n > 3)
        return raise_error(m, ERROR_TYPE, "range expected %s, got %zu",
                           n == 0 ? "at least 1 argument" : "at most 3 arguments", n);
    for (size_t i = 0; i < n; i++)
        if (!value_whole(m, args[i], &parts[n == 1 ? 1 : i]))
            return false;
    if (parts[2] == 0)
        return raise_error(m, ERROR_VALUE, "range() arg 3 must not be zero");
    struct range *range = thing_new(&m->things, THING_RANGE, 0);
    if (range == NULL)
        return raise_memory(m);
    range->start = parts[0];
    range->stop = parts[1];
    range->step = parts[2];
    *ret = value_thing(range);
    return true;
}

/* A tuple of iterators of all values. */
static bool iterators_of(struct machine *m, const struct value *values, size_t n, struct value *ret)
{
    struct tuple *all = tuple_new(&m->things, n);
    bool ok = all != NULL || raise_memory(m);
    for (size_t i = 0; ok && i < n; i++)
        ok = value_iterate(m, values[i], &all->items[i]);
    if (!ok)
        value_drop(value_thing(all));
    *ret = ok ? value_thing(all) : value_absent();
    return ok;
}

static bool to_wrapper(struct machine *m, enum wrapper_kind kind, const struct value *args,
                       size_t n, struct value *ret)
{
    struct wrapper *wrapper = thing_new(&m->things, THING_WRAPPER, 0);
    if (wrapper == NULL)
        return raise_memory(m);
    wrapper->kind = kind;
    wrapper->get = n > 0 ? value_take(args[0]) : value_none();
    wrapper->set = n > 1 ? value_take(args[1]) : value_absent();
    *ret = value_thing(wrapper);
    return true;
}

static bool to_iterator(struct machine *m, enum own_class which, const struct value *args, size_t n,
                        const struct tuple *names, struct value *ret)
{
    struct value from = value_absent();
    int64_t start = 0;
    size_t n_names = names ? names->n : 0, least = which == CLASS_MAP || which == CLASS_FILTER;
    if (which != CLASS_ZIP && n < least + 1)
        return raise_error(m, ERROR_TYPE, "%s() must have at least %zu argument%s",
                           class_name(m->classes[which]), least + 1, least ? "s" : "");
    switch (which) {
    case CLASS_ENUMERATE:
        if ((n > 1 && !value_whole(m, args[1], &start)) || !value_iterate(m, args[0], &from) ||
            !iterator_new(m, ITERATE_ENUMERATE, from, value_absent(), ret))
            return false;
        THING_AS(iterator, *ret)->at = start;
        return true;
    case CLASS_ZIP:
        return iterators_of(m, args, n - n_names, &from) &&
               iterator_new(m, ITERATE_ZIP, from, value_absent(), ret);
    case CLASS_MAP:
        return iterators_of(m, args + 1, n - 1, &from) &&
               iterator_new(m, ITERATE_MAP, from, value_take(args[0]), ret);
    case CLASS_FILTER:
        return value_iterate(m, args[1], &from) &&
               iterator_new(m, ITERATE_FILTER, from, value_take(args[0]), ret);
    default: {
        bool found;
        if (value_is(args[0], THING_INSTANCE) &&
            (!machine_call_method(m, args[0], m->names[NAME_REVERSED], NULL, 0, ret, &found) ||
             found))
            return m->raised.kind == VALUE_ABSENT;
        struct value of = value_payload(args[0]);
        if (value_is(of, THING_DICT) || value_is(of, THING_VIEW)) {
            struct array *keys;
            if (!value_to_array(m, of, &keys))
                return false;
            of = value_thing(keys);
        } else {
            of = value_take(of);
        }
        if (!value_length(m, of, &start)) {
            value_drop(of);
            return false;
        }
        if (!iterator_new(m, ITERATE_REVERSED, of, value_absent(), ret))
            return false;
        THING_AS(iterator, *ret)->at = start;
        return true;
    }
    }
}

/* Counter, defaultdict, SimpleNamespace: instances of attn's own classes. */
static bool to_instance(struct machine *m, struct class *class, const struct value *args, size_t n,
                        const struct tuple *names, struct value *ret)
{
    struct instance *instance = thing_new(&m->things, THING_INSTANCE, 0);
    struct value factory = value_none();
    size_t n_names = names ? names->n : 0;
    bool is_default = class == m->classes[CLASS_DEFAULTDICT];
    bool is_counter = class == m->classes[CLASS_COUNTER];
    if (instance == NULL)
        return raise_memory(m);
    *ret = value_thing(instance);
    instance->class = class;
    class->thing.n_owners++;
    n -= n_names;
    if (class == m->classes[CLASS_OBJECT])
        return true;
    instance->attributes = table_new(&m->things, THING_DICT);
    bool ok = instance->attributes != NULL || raise_memory(m);
    if (class == m->classes[CLASS_NAMESPACE]) {
        for (size_t i = 0; ok && i < n_names; i++) {
            struct string *name =
                intern(m, names->items[i].as.string->bytes, names->items[i].as.string->size);
            ok = name && table_put_name(instance->attributes, name, value_take(args[n + i]));
        }
        return ok;
    }
    if (is_default && n > 0) {
        factory = args[0];
        args++;
        n--;
    }
    ok = ok && to_table(m, THING_DICT, n > 0 && !is_counter ? args[0] : value_absent(),
                        &instance->payload);
    struct string *name = ok && is_default ? intern(m, "default_factory", 15) : NULL;
    if (name != NULL)
        ok = table_put_name(instance->attributes, name, value_take(factory));
    if (ok && is_counter && n > 0) {
        struct value ignored, update_args[2] = {*ret, args[0]};
        struct string *update = intern(m, "update", 6);
        const struct value *method = update ? class_find(class, update) : NULL;
        ok = method != NULL && machine_call(m, *method, update_args, 2, NULL, &ignored);
    }
    if (!ok)
        value_drop(*ret);
    return ok;
}

bool own_class_call(struct machine *m, struct class *class, const struct value *args, size_t n,
                    const struct tuple *names, struct value *ret)
{
    struct value first = n > 0 ? args[0] : value_absent();
    size_t which = 0, n_names = names ? names->n : 0;
    struct array *array;
    bool truth;
    int dtype;
    while (which < CLASS_COUNT && m->classes[which] != class)
        which++;
    if (n_names > 0 && which != CLASS_DICT && which != CLASS_NAMESPACE && which != CLASS_INT &&
        which != CLASS_ZIP && which != CLASS_ENUMERATE && which != CLASS_DEFAULTDICT &&
        which != CLASS_COUNTER && which != CLASS_PROPERTY && which != CLASS_PARAMETER &&
        which != CLASS_TENSOR)
        return raise_error(m, ERROR_TYPE, "%s() takes no keyword arguments", class_name(class));
    *ret = value_absent();
    switch ((enum own_class)which) {
    case CLASS_TENSOR:
    case CLASS_PARAMETER:
        return tensor_class_call(m, which == CLASS_PARAMETER, args, n, names, ret);
    case CLASS_STREAM:
        return stream_new(m, ret);
    case CLASS_NP_BOOL:
    case CLASS_NP_UINT8:
    case CLASS_NP_INT8:
    case CLASS_NP_INT16:
    case CLASS_NP_INT32:
    case CLASS_NP_INT64:
    case CLASS_NP_FLOAT16:
    case CLASS_NP_FLOAT32:
    case CLASS_NP_FLOAT64:
        return nd_read_dtype(m, value_thing(class), &dtype) &&
               nd_class_call(m, (enum dtype)dtype, first, ret);
    case CLASS_SIZE:
        if (!value_to_array(m, first, &array))
            return false;
        truth = make_tuple(m, array->items, array->n, ret) && array->n > 0;
        if (truth)
            THING_AS(tuple, *ret)->form = &form_of_size;
        value_drop(value_thing(array));
        return truth;
    case CLASS_TYPE:
        if (n != 1)
            return raise_error(m, ERROR_TYPE, "type() makes no classes here; write class NAME:");
        *ret = value_take(value_thing(class_of(m, first)));
        return true;
    case CLASS_BOOL:
        if (!value_truth(m, first, &truth))
            return false;
        *ret = value_bool(truth);
        return true;
    case CLASS_INT:
        return to_int(m, first, n > 1 ? args[1] : value_absent(), ret);
    case CLASS_FLOAT:
        return to_float(m, first, ret);
    case CLASS_STR:
        return to_str(m, first, ret);
    case CLASS_LIST:
    case CLASS_TUPLE:
        if (n == 0 && which == CLASS_TUPLE) {
            *ret = value_take(m->empty_tuple);
            return true;
        }
        array = n == 0 ? array_new(&m->things, 0) : NULL;
        if (n == 0 ? array == NULL : !value_to_array(m, first, &array))
            return n == 0 ? raise_memory(m) : false;
        if (which == CLASS_LIST) {
            *ret = value_thing(array);
            return true;
        }
        truth = make_tuple(m, array->items, array->n, ret);
        value_drop(value_thing(array));
        return truth;
    case CLASS_DICT:
        if (!to_table(m, THING_DICT, n > n_names ? first : value_absent(), ret))
            return false;
        for (size_t i = 0; i < n_names; i++)
            if (!dict_put(m, THING_AS(table, *ret), value_take(names->items[i]),
                          value_take(args[n - n_names + i])))
                return false;
        return true;
    case CLASS_SET:
        return to_table(m, THING_SET, first, ret);
    case CLASS_FROZENSET:
        return to_table(m, THING_FROZENSET, first, ret);
    case CLASS_RANGE:
        return to_range(m, args, n, ret);
    case CLASS_SLICE:
        return make_slice(m, n > 1 ? value_take(args[0]) : value_none(),
                          n > 1   ? value_take(args[1])
                          : n > 0 ? value_take(args[0])
                                  : value_none(),
                          n > 2 ? value_take(args[2]) : value_none(), ret);
    case CLASS_PROPERTY:
        return to_wrapper(m, WRAPPER_PROPERTY, args, n, ret);
    case CLASS_STATIC:
        return to_wrapper(m, WRAPPER_STATIC, args, n, ret);
    case CLASS_CLASS_METHOD:
        return to_wrapper(m, WRAPPER_CLASS, args, n, ret);
    case CLASS_SUPER: {
        struct super *super;
        if (n < 2 || !value_is(first, THING_CLASS))
            return raise_error(m, ERROR_RUNTIME, "super(): no arguments");
        if ((super = thing_new(&m->things, THING_SUPER, 0)) == NULL)
            return raise_memory(m);
        super->after = THING_AS(class, value_take(first));
        super->self = value_take(args[1]);
        *ret = value_thing(super);
        return true;
    }
    case CLASS_ENUMERATE:
    case CLASS_ZIP:
    case CLASS_MAP:
    case CLASS_FILTER:
    case CLASS_REVERSED:
        return to_iterator(m, (enum own_class)which, args, n, names, ret);
    case CLASS_OBJECT:
    case CLASS_COUNTER:
    case CLASS_DEFAULTDICT:
    case CLASS_NAMESPACE:
        return to_instance(m, class, args, n, names, ret);
    default:
        return raise_error(m, ERROR_TYPE, "cannot create '%s' instances", class_name(class));
    }
}
