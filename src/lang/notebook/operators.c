/* Operators on values: arithmetic, comparisons, hashing, indices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"

static const char *const spellings[SIGN_COUNT] = {
    [SIGN_ADD] = "+",    [SIGN_SUB] = "-", [SIGN_MUL] = "*",           [SIGN_DIV] = "/",
    [SIGN_FLOOR] = "//", [SIGN_MOD] = "%", [SIGN_POW] = "** or pow()", [SIGN_MATMUL] = "@",
    [SIGN_AND] = "&",    [SIGN_OR] = "|",  [SIGN_XOR] = "^",           [SIGN_LEFT] = "<<",
    [SIGN_RIGHT] = ">>", [SIGN_EQ] = "==", [SIGN_NE] = "!=",           [SIGN_LT] = "<",
    [SIGN_LE] = "<=",    [SIGN_GT] = ">",  [SIGN_GE] = ">=",
};

static bool is_whole(struct value v)
{
    return v.kind == VALUE_INT || v.kind == VALUE_BOOL;
}
static bool is_number(struct value v)
{
    return is_whole(v) || v.kind == VALUE_FLOAT;
}
static double number_of(struct value v)
{
    return v.kind == VALUE_FLOAT ? v.as.number : (double)v.as.whole;
}
static bool is_instance(struct value v)
{
    return value_is(v, THING_INSTANCE);
}
static bool is_set(struct value v)
{
    return value_is(v, THING_SET) || value_is(v, THING_FROZENSET);
}

/* ---- truth and numbers ---- */

bool value_truth(struct machine *m, struct value v, bool *ret)
{
    struct value result;
    bool found;
    switch (v.kind) {
    case VALUE_ABSENT:
    case VALUE_NONE:
        *ret = false;
        return true;
    case VALUE_BOOL:
    case VALUE_INT:
        *ret = v.as.whole != 0;
        return true;
    case VALUE_FLOAT:
        *ret = v.as.number != 0;
        return true;
    case VALUE_STRING:
        *ret = v.as.string->size > 0;
        return true;
    default:
        break;
    }
    *ret = true;
    if (v.kind != VALUE_THING)
        return true;
    if (is_instance(v)) {
        if (!machine_call_method(m, v, m->names[NAME_BOOL], NULL, 0, &result, &found))
            return false;
        if (!found && !machine_call_method(m, v, m->names[NAME_LEN], NULL, 0, &result, &found))
            return false;
        if (found) {
            *ret = is_number(result) && number_of(result) != 0;
            value_drop(result);
        } else if (value_payload(v).kind != VALUE_ABSENT && !is_instance(value_payload(v))) {
            return value_truth(m, value_payload(v), ret);
        }
        return true;
    }
    switch (thing_id(v.as.thing)) {
    case THING_TUPLE:
        *ret = THING_AS(tuple, v)->n > 0;
        break;
    case THING_LIST:
        *ret = THING_AS(array, v)->n > 0;
        break;
    case THING_DICT:
    case THING_SET:
    case THING_FROZENSET:
        *ret = THING_AS(table, v)->n > 0;
        break;
    case THING_RANGE:
        *ret = range_count(THING_AS(range, v)) > 0;
        break;
    case THING_VIEW:
        return value_truth(m, THING_AS(view, v)->of, ret);
    case THING_TENSOR:
        return tensor_truth(m, as_tensor(v), ret);
    case THING_NDARRAY: {
        struct value one;
        if (nd_size(as_ndarray(v)) > 1)
            return raise_error(m, ERROR_VALUE,
                               "The truth value of an array with more than one element is "
                               "ambiguous. Use a.any() or a.all()");
        if (nd_size(as_ndarray(v)) == 0)
            *ret = false;
        else
            return nd_only(m, as_ndarray(v), &one) && value_truth(m, one, ret);
        break;
    }
    default:
        break;
    }
    return true;
}

bool value_whole(struct machine *m, struct value v, int64_t *ret)
{
    struct value result;
    bool found = false;
    if (is_whole(v)) {
        *ret = v.as.whole;
        return true;
    }
    if (is_tensor(v)) {
        if (!tensor_item(m, as_tensor(v), &result))
            return false;
        if (is_whole(result)) {
            *ret = result.as.whole;
            return true;
        }
        return raise_error(m, ERROR_TYPE,
                           "only integer tensors of a single element can be converted to an index");
    }
    if (is_ndarray(v) && dtypes[as_ndarray(v)->dtype].category == CATEGORY_WHOLE &&
        nd_size(as_ndarray(v)) == 1) {
        *ret = as_ndarray(v)->first->whole;
        return true;
    }
    if (is_ndarray(v) && !as_ndarray(v)->is_scalar)
        return raise_error(m, ERROR_TYPE,
                           "only integer scalar arrays can be converted to a scalar index");
    if (is_instance(v)) {
        if (!machine_call_method(m, v, m->names[NAME_INDEX], NULL, 0, &result, &found))
            return false;
        if (found) {
            bool ok = is_whole(result);
            *ret = result.as.whole;
            value_drop(result);
            if (ok)
                return true;
        }
    }
    return raise_error(m, ERROR_TYPE, "'%s' object cannot be interpreted as an integer",
                       value_class_name(m, v));
}

bool value_number(struct machine *m, struct value v, double *ret)
{
    struct value result;
    bool found = false;
    if (is_number(v)) {
        *ret = number_of(v);
        return true;
    }
    if (is_tensor(v)) {
        if (!tensor_item(m, as_tensor(v), &result))
            return false;
        *ret = number_of(result);
        return true;
    }
    if (is_ndarray(v)) {
        if (!nd_only(m, as_ndarray(v), &result))
            return false;
        *ret = number_of(result);
        return true;
    }
    if (is_instance(v)) {
        if (!machine_call_method(m, v, m->names[NAME_FLOAT], NULL, 0, &result, &found))
            return false;
        if (found && is_number(result)) {
            *ret = number_of(result);
            return true;
        }
    }
    return raise_error(m, ERROR_TYPE, "must be real number, not %s", value_class_name(m, v));
}

/* ---- arithmetic ---- */

static bool too_large(struct machine *m)
{
    return raise_error(m, ERROR_OVERFLOW,
                       "whole numbers have 64 bits in attn; compute with float(...) instead");
}

static bool whole_power(struct machine *m, int64_t base, int64_t exponent, struct value *ret)
{
    if (exponent < 0) {
        if (base == 0)
            return raise_error(m, ERROR_ZERO, "0.0 cannot be raised to a negative power");
        *ret = value_float(pow((double)base, (double)exponent));
        return true;
    }
    int64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) && __builtin_mul_overflow(result, base, &result))
            return too_large(m);
        if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
            return too_large(m);
    }
    *ret = value_int(result);
    return true;
}

static bool operate_wholes(struct machine *m, enum sign sign, int64_t a, int64_t b, bool bools,
                           struct value *ret, bool *ret_done)
{
    int64_t c = 0;
    *ret_done = true;
    switch (sign) {
    case SIGN_ADD:
        if (__builtin_add_overflow(a, b, &c))
            return too_large(m);
        break;
    case SIGN_SUB:
        if (__builtin_sub_overflow(a, b, &c))
            return too_large(m);
        break;
    case SIGN_MUL:
        if (__builtin_mul_overflow(a, b, &c))
            return too_large(m);
        break;
    case SIGN_FLOOR:
    case SIGN_MOD:
        if (b == 0)
            return raise_error(m, ERROR_ZERO,
                               sign == SIGN_MOD ? "integer modulo by zero"
                                                : "integer division or modulo by zero");
        if (b == -1) {
            if (sign == SIGN_FLOOR && __builtin_sub_overflow((int64_t)0, a, &c))
                return too_large(m);
            break;
        }
        c = a % b;
        bool differs = c != 0 && (c < 0) != (b < 0);
        c = sign == SIGN_MOD ? (differs ? c + b : c) : a / b - differs;
        break;
    case SIGN_POW:
        return whole_power(m, a, b, ret);
    case SIGN_AND:
    case SIGN_OR:
    case SIGN_XOR:
        c = sign == SIGN_AND ? a & b : sign == SIGN_OR ? a | b : a ^ b;
        *ret = bools ? value_bool(c != 0) : value_int(c);
        return true;
    case SIGN_LEFT:
        if (b < 0)
            return raise_error(m, ERROR_VALUE, "negative shift count");
        if (a != 0 && (b > 62 || llabs(a) > (INT64_MAX >> b)))
            return too_large(m);
        c = a == 0 ? 0 : a * ((int64_t)1 << b);
        break;
    case SIGN_RIGHT:
        if (b < 0)
            return raise_error(m, ERROR_VALUE, "negative shift count");
        c = b > 62 ? (a < 0 ? -1 : 0) : a >> b;
        break;
    default:
        *ret_done = false;
        return true;
    }
    *ret = value_int(c);
    return true;
}

static bool operate_numbers(struct machine *m, enum sign sign, struct value x, struct value y,
                            struct value *ret, bool *ret_done)
{
    double a = number_of(x), b = number_of(y), c;
    bool both = is_whole(x) && is_whole(y);
    *ret_done = true;
    if (both && sign != SIGN_DIV)
        return operate_wholes(m, sign, x.as.whole, y.as.whole,
                              x.kind == VALUE_BOOL && y.kind == VALUE_BOOL, ret, ret_done);
    switch (sign) {
    case SIGN_ADD:
        c = a + b;
        break;
    case SIGN_SUB:
        c = a - b;
        break;
    case SIGN_MUL:
        c = a * b;
        break;
    case SIGN_DIV:
        if (b == 0)
            return raise_error(m, ERROR_ZERO, both ? "division by zero" : "float division by zero");
        c = a / b;
        break;
    case SIGN_FLOOR:
    case SIGN_MOD:
        if (b == 0)
            return raise_error(m, ERROR_ZERO,
                               sign == SIGN_MOD ? "float modulo" : "float floor division by zero");
        double r = fmod(a, b);
        if (r != 0 && (b < 0) != (r < 0))
            r += b;
        else if (r == 0)
            r = copysign(0, b);
        double quotient = floor((a - r) / b + 0.5);
        c = sign == SIGN_MOD ? r : quotient == 0 ? copysign(0, a / b) : quotient;
        break;
    case SIGN_POW:
        if (a == 0 && b < 0)
            return raise_error(m, ERROR_ZERO, "0.0 cannot be raised to a negative power");
        if (a < 0 && b != floor(b) && isfinite(b))
            return raise_error(m, ERROR_VALUE,
                               "the result would be a complex number, which attn does not have");
        c = pow(a, b);
        if (isinf(c) && isfinite(a) && isfinite(b))
            return raise_error(m, ERROR_OVERFLOW, "(34, 'Numerical result out of range')");
        break;
    default:
        *ret_done = false;
        return true;
    }
    *ret = value_float(c);
    return true;
}

/* ---- sequences ---- */

/* Parts of a torch.Size are sizes too; those of other tuples are plain. */
static const struct tuple_form *size_form(const struct tuple *tuple)
{
    return tuple->form != NULL && tuple->form->fields[0] == NULL ? tuple->form : NULL;
}

static bool repeat(struct machine *m, struct value sequence, struct value times, struct value *ret)
{
    int64_t n = 0;
    if (!value_whole(m, times, &n)) {
        raised_clear(m);
        return raise_error(m, ERROR_TYPE, "can't multiply sequence by non-int of type '%s'",
                           value_class_name(m, times));
    }
    size_t count = n > 0 ? (size_t)n : 0;
    if (sequence.kind == VALUE_STRING) {
        const struct string *s = sequence.as.string;
        if (s->size > 0 && count > MACHINE_MAX_TEXT / s->size)
            return raise_error(m, ERROR_MEMORY, "a text of more than 64 MB");
        struct text text = {0};
        for (size_t i = 0; i < count; i++)
            text_add(&text, s->bytes, s->size);
        return text_to_str(m, &text, ret);
    }
    bool is_tuple = value_is(sequence, THING_TUPLE);
    size_t size = is_tuple ? THING_AS(tuple, sequence)->n : THING_AS(array, sequence)->n;
    const struct value *items =
        is_tuple ? THING_AS(tuple, sequence)->items : THING_AS(array, sequence)->items;
    if (size > 0 && count > MACHINE_MAX_ITEMS / size)
        return raise_error(m, ERROR_MEMORY, "a list of more than 67 million items");
    struct array *array = array_new(&m->things, size * count);
    bool ok = array != NULL;
    for (size_t i = 0; ok && i < size * count; i++)
        ok = array_add(array, value_take(items[i % size]));
    if (ok && is_tuple) {
        ok = make_tuple(m, array->items, array->n, ret);
        value_drop(value_thing(array));
        return ok;
    }
    *ret = value_thing(array);
    return ok || raise_memory(m);
}

static bool concatenate(struct machine *m, struct value a, struct value b, struct value *ret)
{
    if (a.kind == VALUE_STRING) {
        if (a.as.string->size + b.as.string->size > MACHINE_MAX_TEXT)
            return raise_error(m, ERROR_MEMORY, "a text of more than 64 MB");
        struct text text = {0};
        text_add(&text, a.as.string->bytes, a.as.string->size);
        text_add(&text, b.as.string->bytes, b.as.string->size);
        return text_to_str(m, &text, ret);
    }
    if (value_is(a, THING_TUPLE)) {
        const struct tuple *x = THING_AS(tuple, a), *y = THING_AS(tuple, b);
        struct tuple *both = tuple_new(&m->things, x->n + y->n);
        if (both == NULL)
            return raise_memory(m);
        both->form = size_form(x);
        for (size_t i = 0; i < both->n; i++)
            both->items[i] = value_take(i < x->n ? x->items[i] : y->items[i - x->n]);
        *ret = value_thing(both);
        return true;
    }
    const struct array *x = THING_AS(array, a), *y = THING_AS(array, b);
    struct array *both = array_new(&m->things, x->n + y->n);
    bool ok = both != NULL;
    for (size_t i = 0; ok && i < x->n + y->n; i++)
        ok = array_add(both, value_take(i < x->n ? x->items[i] : y->items[i - x->n]));
    *ret = value_thing(both);
    return ok || raise_memory(m);
}

/* a | b, a & b, a - b, a ^ b of sets; a | b of dicts. */
static bool combine(struct machine *m, enum sign sign, struct value a, struct value b,
                    struct value *ret)
{
    const struct table *x = THING_AS(table, a), *y = THING_AS(table, b);
    struct table *table = table_new(&m->things, thing_id(a.as.thing));
    bool ok = table != NULL || raise_memory(m);
    const struct table *parts[2] = {x, y};
    for (size_t k = 0; ok && k < 2; k++) {
        if (k == 1 && (sign == SIGN_AND || sign == SIGN_SUB))
            break;
        for (size_t i = 0; ok && i < parts[k]->n_entries; i++) {
            const struct entry *entry = &parts[k]->entries[i];
            struct entry *other = NULL;
            if (entry->key.kind == VALUE_ABSENT)
                continue;
            if (sign != SIGN_OR)
                ok = dict_find(m, parts[1 - k], entry->key, &other);
            bool keeps = sign == SIGN_OR || (other != NULL) == (sign == SIGN_AND);
            if (ok && keeps)
                ok = dict_put(m, table, value_take(entry->key), value_take(entry->value));
        }
    }
    if (!ok)
        value_drop(value_thing(table));
    *ret = ok ? value_thing(table) : value_absent();
    return ok;
}

/* ---- comparing ---- */

bool value_identical(struct value a, struct value b)
{
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case VALUE_ABSENT:
    case VALUE_NONE:
        return true;
    case VALUE_BOOL:
    case VALUE_INT:
        return a.as.whole == b.as.whole;
    case VALUE_FLOAT:
        return a.as.number == b.as.number;
    case VALUE_STRING:
        return a.as.string == b.as.string;
    default:
        return a.as.thing == b.as.thing;
    }
}

static bool same_items(struct machine *m, const struct value *a, const struct value *b, size_t n,
                       bool *ret)
{
    *ret = true;
    for (size_t i = 0; i < n && *ret; i++)
        if (!value_equal(m, a[i], b[i], ret))
            return false;
    return true;
}

static bool same_tables(struct machine *m, const struct table *a, const struct table *b, bool *ret)
{
    *ret = a->n == b->n;
    for (size_t i = 0; i < a->n_entries && *ret; i++) {
        struct entry *other;
        if (a->entries[i].key.kind == VALUE_ABSENT)
            continue;
        if (!dict_find(m, b, a->entries[i].key, &other))
            return false;
        *ret = other != NULL;
        if (*ret && a->entries[i].value.kind != VALUE_ABSENT &&
            !value_equal(m, a->entries[i].value, other->value, ret))
            return false;
    }
    return true;
}

/* a == b by the method of a or of b; *ret_found false: neither has one that answers. */
static bool equal_by_method(struct machine *m, struct value a, struct value b, bool *ret,
                            bool *ret_found)
{
    for (int k = 0; k < 2; k++) {
        struct value self = k ? b : a, other = k ? a : b, result;
        const struct value *method =
            is_instance(self) ? class_find(class_of(m, self), m->binary_names[SIGN_EQ][0]) : NULL;
        *ret_found = method != NULL && value_is(*method, THING_CLOSURE);
        if (!*ret_found)
            continue;
        struct value args[2] = {self, other};
        if (!machine_call(m, *method, args, 2, NULL, &result))
            return false;
        *ret_found = !value_identical(result, m->not_implemented);
        bool ok = !*ret_found || value_truth(m, result, ret);
        value_drop(result);
        if (!ok || *ret_found)
            return ok;
    }
    return true;
}

bool value_equal(struct machine *m, struct value a, struct value b, bool *ret)
{
    if (is_number(a) && is_number(b)) {
        *ret = is_whole(a) && is_whole(b) ? a.as.whole == b.as.whole : number_of(a) == number_of(b);
        return true;
    }
    if (a.kind == VALUE_STRING && b.kind == VALUE_STRING) {
        *ret = a.as.string == b.as.string ||
               (a.as.string->size == b.as.string->size &&
                memcmp(a.as.string->bytes, b.as.string->bytes, a.as.string->size) == 0);
        return true;
    }
    *ret = value_identical(a, b);
    if (value_is(a, THING_DTYPE) || value_is(b, THING_DTYPE)) {
        int x = -1, y = -1;
        struct value one = value_is(a, THING_DTYPE) ? a : b,
                     other = value_is(a, THING_DTYPE) ? b : a;
        if (*ret || !THING_AS(dtype_thing, one)->is_numpy)
            return true;
        *ret = nd_read_dtype(m, a, &x) && nd_read_dtype(m, b, &y) && x == y;
        (void)other;
        raised_clear(m);
        return true;
    }
    if ((is_tensor(a) || is_tensor(b) || is_ndarray(a) || is_ndarray(b)) && !is_instance(a) &&
        !is_instance(b)) {
        struct value result;
        if (*ret)
            return true;
        if (!operate(m, SIGN_EQ, a, b, false, &result))
            return false;
        bool ok = value_truth(m, result, ret);
        value_drop(result);
        return ok;
    }
    if (is_instance(a) || is_instance(b)) {
        bool found;
        if (!equal_by_method(m, a, b, ret, &found) || found)
            return m->raised.kind == VALUE_ABSENT;
        a = value_payload(a);
        b = value_payload(b);
        if (is_instance(a) || is_instance(b))
            return true;
        return value_equal(m, a, b, ret);
    }
    if (*ret || a.kind != VALUE_THING || b.kind != VALUE_THING)
        return true;
    if (m->n_calls >= MACHINE_MAX_CALLS)
        return raise_error(m, ERROR_RECURSION, "maximum recursion depth exceeded in comparison");
    m->n_calls++;
    bool ok = true;
    if (value_is(a, THING_TUPLE) && value_is(b, THING_TUPLE)) {
        *ret = THING_AS(tuple, a)->n == THING_AS(tuple, b)->n;
        ok = !*ret || same_items(m, THING_AS(tuple, a)->items, THING_AS(tuple, b)->items,
                                 THING_AS(tuple, a)->n, ret);
    } else if (value_is(a, THING_LIST) && value_is(b, THING_LIST)) {
        *ret = THING_AS(array, a)->n == THING_AS(array, b)->n;
        ok = !*ret || same_items(m, THING_AS(array, a)->items, THING_AS(array, b)->items,
                                 THING_AS(array, a)->n, ret);
    } else if ((is_set(a) && is_set(b)) || (value_is(a, THING_DICT) && value_is(b, THING_DICT))) {
        ok = same_tables(m, THING_AS(table, a), THING_AS(table, b), ret);
    } else if (value_is(a, THING_RANGE) && value_is(b, THING_RANGE)) {
        const struct range *x = THING_AS(range, a), *y = THING_AS(range, b);
        size_t n = range_count(x);
        *ret = n == range_count(y) && (n == 0 || x->start == y->start) &&
               (n < 2 || x->step == y->step);
    } else if (value_is(a, THING_BOUND) && value_is(b, THING_BOUND)) {
        *ret = value_identical(THING_AS(bound, a)->self, THING_AS(bound, b)->self) &&
               value_identical(THING_AS(bound, a)->function, THING_AS(bound, b)->function);
    }
    m->n_calls--;
    return ok;
}

static bool not_ordered(struct machine *m, enum sign sign, struct value a, struct value b)
{
    return raise_error(m, ERROR_TYPE, "'%s' not supported between instances of '%s' and '%s'",
                       spellings[sign], value_class_name(m, a), value_class_name(m, b));
}

static bool decide(enum sign sign, int order)
{
    return sign == SIGN_LT   ? order < 0
           : sign == SIGN_LE ? order <= 0
           : sign == SIGN_GT ? order > 0
                             : order >= 0;
}

static bool order_items(struct machine *m, enum sign sign, const struct value *a, size_t n_a,
                        const struct value *b, size_t n_b, bool *ret)
{
    for (size_t i = 0; i < n_a && i < n_b; i++) {
        bool same;
        struct value result;
        if (!value_equal(m, a[i], b[i], &same))
            return false;
        if (same)
            continue;
        if (!operate(m, sign, a[i], b[i], false, &result))
            return false;
        bool ok = value_truth(m, result, ret);
        value_drop(result);
        return ok;
    }
    *ret = decide(sign, n_a < n_b ? -1 : n_a > n_b);
    return true;
}

static bool order(struct machine *m, enum sign sign, struct value a, struct value b, bool *ret)
{
    if (is_number(a) && is_number(b)) {
        double x = number_of(a), y = number_of(b);
        if (is_whole(a) && is_whole(b))
            *ret = decide(sign, a.as.whole < b.as.whole ? -1 : a.as.whole > b.as.whole);
        else
            *ret = !isnan(x) && !isnan(y) && decide(sign, x < y ? -1 : x > y);
        return true;
    }
    if (a.kind == VALUE_STRING && b.kind == VALUE_STRING) {
        const struct string *x = a.as.string, *y = b.as.string;
        int found = memcmp(x->bytes, y->bytes, x->size < y->size ? x->size : y->size);
        *ret = decide(sign, found != 0 ? found : x->size < y->size ? -1 : x->size > y->size);
        return true;
    }
    if (value_is(a, THING_TUPLE) && value_is(b, THING_TUPLE))
        return order_items(m, sign, THING_AS(tuple, a)->items, THING_AS(tuple, a)->n,
                           THING_AS(tuple, b)->items, THING_AS(tuple, b)->n, ret);
    if (value_is(a, THING_LIST) && value_is(b, THING_LIST))
        return order_items(m, sign, THING_AS(array, a)->items, THING_AS(array, a)->n,
                           THING_AS(array, b)->items, THING_AS(array, b)->n, ret);
    if (is_set(a) && is_set(b)) {
        struct value common = value_absent();
        const struct table *x = THING_AS(table, a), *y = THING_AS(table, b);
        if (!combine(m, SIGN_AND, a, b, &common))
            return false;
        size_t n = THING_AS(table, common)->n;
        value_drop(common);
        bool below = n == x->n, above = n == y->n;
        *ret = sign == SIGN_LE   ? below
               : sign == SIGN_GE ? above
               : sign == SIGN_LT ? below && x->n < y->n
                                 : above && y->n < x->n;
        return true;
    }
    return not_ordered(m, sign, a, b);
}

bool value_less(struct machine *m, struct value a, struct value b, bool *ret)
{
    struct value result;
    if (!operate(m, SIGN_LT, a, b, false, &result))
        return false;
    bool ok = value_truth(m, result, ret);
    value_drop(result);
    return ok;
}

bool value_contains(struct machine *m, struct value container, struct value item, bool *ret)
{
    struct value result, iterator;
    bool found = false;
    *ret = false;
    if (is_instance(container)) {
        if (!machine_call_method(m, container, m->names[NAME_CONTAINS], &item, 1, &result, &found))
            return false;
        if (found) {
            bool ok = value_truth(m, result, ret);
            value_drop(result);
            return ok;
        }
        container = value_payload(container);
    }
    if (container.kind == VALUE_STRING) {
        if (item.kind != VALUE_STRING)
            return raise_error(m, ERROR_TYPE,
                               "'in <string>' requires string as left operand, not %s",
                               value_class_name(m, item));
        *ret = text_find(container.as.string->bytes, container.as.string->size,
                         item.as.string->bytes, item.as.string->size, 0) != SIZE_MAX;
        return true;
    }
    if (is_tensor(container)) /* (item == container).any() */
        return tensor_contains(m, container, item, ret);
    if (is_ndarray(container)) {
        struct value same;
        if (!operate(m, SIGN_EQ, container, item, false, &same))
            return false;
        *ret = is_ndarray(same) ? nd_any(as_ndarray(same)) : same.as.whole != 0;
        value_drop(same);
        return true;
    }
    if (value_is(container, THING_VIEW) && THING_AS(view, container)->kind == ITERATE_KEYS)
        container = THING_AS(view, container)->of;
    if (value_is(container, THING_DICT) || is_set(container)) {
        struct entry *entry;
        if (!dict_find(m, THING_AS(table, container), item, &entry))
            return false;
        *ret = entry != NULL;
        return true;
    }
    if (value_is(container, THING_RANGE) && is_whole(item)) {
        const struct range *range = THING_AS(range, container);
        int64_t from = item.as.whole - range->start;
        *ret = from % range->step == 0 && from / range->step >= 0 &&
               (uint64_t)(from / range->step) < range_count(range);
        return true;
    }
    if (!value_iterate(m, container, &iterator)) {
        if (raised_is(m, ERROR_TYPE)) {
            raised_clear(m);
            raise_error(m, ERROR_TYPE, "argument of type '%s' is not iterable",
                        value_class_name(m, container));
        }
        return false;
    }
    bool ok = true;
    while (!*ret && (ok = iterator_next(m, iterator, &result)) && result.kind != VALUE_ABSENT) {
        *ret = value_identical(result, item) && result.kind != VALUE_FLOAT;
        ok = *ret || value_equal(m, result, item, ret);
        value_drop(result);
        if (!ok)
            break;
    }
    value_drop(iterator);
    return ok;
}

/* ---- the operators ---- */

/* __add__ of a or __radd__ of b. *ret_done false: neither answers. */
static bool by_method(struct machine *m, enum sign sign, struct value a, struct value b,
                      bool in_place, struct value *ret, bool *ret_done)
{
    static const enum sign mirrored[SIGN_COUNT] = {
        [SIGN_LT] = SIGN_GT, [SIGN_LE] = SIGN_GE, [SIGN_GT] = SIGN_LT, [SIGN_GE] = SIGN_LE};
    bool is_order = sign >= SIGN_LT && sign <= SIGN_GE;
    *ret_done = false;
    if (in_place && is_instance(a)) {
        char name[32];
        int size = snprintf(name, sizeof name, "__i%s", m->binary_names[sign][0]->bytes + 2);
        struct string *interned = intern(m, name, (size_t)size);
        if (interned == NULL || !machine_call_method(m, a, interned, &b, 1, ret, ret_done))
            return false;
        if (*ret_done)
            return true;
    }
    for (int k = 0; k < 2 && !*ret_done; k++) {
        struct value self = k ? b : a, other = k ? a : b;
        struct string *name = k == 0     ? m->binary_names[sign][0]
                              : is_order ? m->binary_names[mirrored[sign]][0]
                                         : m->binary_names[sign][1];
        if (!is_instance(self) || name == NULL)
            continue;
        if (!machine_call_method(m, self, name, &other, 1, ret, ret_done))
            return false;
        if (*ret_done && value_identical(*ret, m->not_implemented)) {
            value_drop(*ret);
            *ret_done = false;
        }
    }
    return true;
}

static bool unsupported(struct machine *m, enum sign sign, struct value a, struct value b,
                        bool in_place)
{
    if (sign == SIGN_ADD && a.kind == VALUE_STRING)
        return raise_error(m, ERROR_TYPE, "can only concatenate str (not \"%s\") to str",
                           value_class_name(m, b));
    if (sign == SIGN_ADD && (value_is(a, THING_LIST) || value_is(a, THING_TUPLE)))
        return raise_error(m, ERROR_TYPE, "can only concatenate %s (not \"%s\") to %s",
                           value_class_name(m, a), value_class_name(m, b), value_class_name(m, a));
    return raise_error(m, ERROR_TYPE, "unsupported operand type(s) for %s%s: '%s' and '%s'",
                       spellings[sign], in_place ? "=" : "", value_class_name(m, a),
                       value_class_name(m, b));
}

static bool is_sequence(struct value v)
{
    return v.kind == VALUE_STRING || value_is(v, THING_LIST) || value_is(v, THING_TUPLE);
}

static bool operate_collections(struct machine *m, enum sign sign, struct value a, struct value b,
                                bool in_place, struct value *ret)
{
    if (sign == SIGN_ADD && is_sequence(a) && a.kind == b.kind &&
        (a.kind == VALUE_STRING || thing_id(a.as.thing) == thing_id(b.as.thing)) && !in_place)
        return concatenate(m, a, b, ret);
    if (sign == SIGN_ADD && a.kind == VALUE_STRING && b.kind == VALUE_STRING)
        return concatenate(m, a, b, ret);
    if (sign == SIGN_ADD && in_place && value_is(a, THING_TUPLE) && value_is(b, THING_TUPLE))
        return concatenate(m, a, b, ret);
    if (sign == SIGN_ADD && in_place && value_is(a, THING_LIST)) {
        struct array *more;
        if (!value_to_array(m, b, &more))
            return false;
        bool ok = true;
        for (size_t i = 0; ok && i < more->n; i++)
            ok = array_add(THING_AS(array, a), value_take(more->items[i]));
        value_drop(value_thing(more));
        *ret = ok ? value_take(a) : value_absent();
        return ok || raise_memory(m);
    }
    if (sign == SIGN_MUL && is_sequence(a))
        return repeat(m, a, b, ret);
    if (sign == SIGN_MUL && is_sequence(b))
        return repeat(m, b, a, ret);
    if (sign == SIGN_MOD && a.kind == VALUE_STRING)
        return text_percent(m, a.as.string, b, ret);
    bool dicts = value_is(a, THING_DICT) && value_is(b, THING_DICT) && sign == SIGN_OR;
    bool sets = is_set(a) && is_set(b) &&
                (sign == SIGN_OR || sign == SIGN_AND || sign == SIGN_SUB || sign == SIGN_XOR);
    if (dicts && in_place) {
        *ret = value_take(a);
        return dict_update(m, THING_AS(table, a), b);
    }
    if (dicts || sets)
        return combine(m, sign, a, b, ret);
    return unsupported(m, sign, a, b, in_place);
}

/* d.keys() and d.items(), which are sets for operators. */
static bool is_set_view(struct value v)
{
    return value_is(v, THING_VIEW) && THING_AS(view, v)->kind != ITERATE_VALUES;
}

static bool operate_views(struct machine *m, enum sign sign, struct value a, struct value b,
                          struct value *ret)
{
    struct value x = value_take(a), y = value_take(b), made;
    struct value *sides[2] = {&x, &y};
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++) {
        if (!is_set_view(*sides[i]))
            continue;
        ok = own_class_call(m, m->classes[CLASS_SET], sides[i], 1, NULL, &made);
        if (ok)
            value_put(sides[i], made);
    }
    ok = ok && operate(m, sign, x, y, false, ret);
    value_drop(x);
    value_drop(y);
    return ok;
}

/* A tensor and an array. A scalar of numpy is a number to PyTorch, and an array on the right
 * becomes a tensor; numpy knows no tensors, so an array on the left refuses. */
static bool operate_with_array(struct machine *m, enum sign sign, struct value a, struct value b,
                               bool in_place, struct value *ret)
{
    struct value *other = is_ndarray(a) ? &a : &b, made;
    struct ndarray *array = as_ndarray(*other);
    if (!array->is_scalar && other == &a)
        return nd_operate(m, sign, a, b, in_place, ret);
    if (array->is_scalar)
        made = nd_item(array, array->first);
    else if (!tensor_from_data(m, *other, -1, &made))
        return false;
    *other = made;
    bool ok = tensor_operate(m, sign, a, b, in_place, ret);
    value_drop(made);
    return ok;
}

bool operate(struct machine *m, enum sign sign, struct value a, struct value b, bool in_place,
             struct value *ret)
{
    bool truth, done = false;
    *ret = value_absent();
    if ((is_set_view(a) || is_set_view(b)) && sign != SIGN_IS && sign != SIGN_IS_NOT &&
        sign != SIGN_IN && sign != SIGN_NOT_IN)
        return operate_views(m, sign, a, b, ret);
    if (a.kind == VALUE_STRING && (is_ndarray(b) || is_tensor(b)) && sign == SIGN_MOD)
        return operate_collections(m, sign, a, b, in_place, ret);
    if ((is_tensor(a) || is_tensor(b)) && !is_instance(a) && !is_instance(b) && sign != SIGN_IS &&
        sign != SIGN_IS_NOT && sign != SIGN_IN && sign != SIGN_NOT_IN)
        return is_ndarray(a) || is_ndarray(b) ? operate_with_array(m, sign, a, b, in_place, ret)
                                              : tensor_operate(m, sign, a, b, in_place, ret);
    if ((is_ndarray(a) || is_ndarray(b)) && !is_instance(a) && !is_instance(b) && sign != SIGN_IS &&
        sign != SIGN_IS_NOT && sign != SIGN_IN && sign != SIGN_NOT_IN)
        return nd_operate(m, sign, a, b, in_place, ret);
    switch (sign) {
    case SIGN_IS:
    case SIGN_IS_NOT:
        *ret = value_bool(value_identical(a, b) == (sign == SIGN_IS));
        return true;
    case SIGN_IN:
    case SIGN_NOT_IN:
        if (!value_contains(m, b, a, &truth))
            return false;
        *ret = value_bool(truth == (sign == SIGN_IN));
        return true;
    case SIGN_EQ:
    case SIGN_NE:
        if (sign == SIGN_NE && is_instance(a)) {
            const struct value *method = class_find(class_of(m, a), m->binary_names[SIGN_NE][0]);
            if (method != NULL && value_is(*method, THING_CLOSURE)) {
                struct value args[2] = {a, b};
                return machine_call(m, *method, args, 2, NULL, ret);
            }
        }
        if (sign == SIGN_EQ && (is_instance(a) || is_instance(b))) {
            if (!by_method(m, sign, a, b, false, ret, &done) || done)
                return done && m->raised.kind == VALUE_ABSENT;
        }
        if (!value_equal(m, a, b, &truth))
            return false;
        *ret = value_bool(truth == (sign == SIGN_EQ));
        return true;
    default:
        break;
    }
    if (is_number(a) && is_number(b) && sign < SIGN_EQ) {
        if (!operate_numbers(m, sign, a, b, ret, &done) || done)
            return done && m->raised.kind == VALUE_ABSENT;
        return unsupported(m, sign, a, b, in_place);
    }
    if (is_instance(a) || is_instance(b)) {
        if (!by_method(m, sign, a, b, in_place, ret, &done) || done)
            return done && m->raised.kind == VALUE_ABSENT;
        struct value x = value_payload(a), y = value_payload(b);
        if (!is_instance(x) && !is_instance(y))
            return operate(m, sign, x, y, in_place, ret);
        return sign >= SIGN_LT && sign <= SIGN_GE ? not_ordered(m, sign, a, b)
                                                  : unsupported(m, sign, a, b, in_place);
    }
    if (sign >= SIGN_LT && sign <= SIGN_GE) {
        if (!order(m, sign, a, b, &truth))
            return false;
        *ret = value_bool(truth);
        return true;
    }
    return operate_collections(m, sign, a, b, in_place, ret);
}

bool operate_unary(struct machine *m, enum sign sign, struct value a, struct value *ret)
{
    bool found = false;
    if (is_tensor(a))
        return tensor_operate_unary(m, sign, a, ret);
    if (is_ndarray(a))
        return nd_operate_unary(m, sign, a, ret);
    if (is_whole(a) && sign != SIGN_INVERT) {
        if (a.as.whole == INT64_MIN)
            return too_large(m);
        *ret = value_int(sign == SIGN_NEG ? -a.as.whole : a.as.whole);
        return true;
    }
    if (is_whole(a)) {
        *ret = value_int(~a.as.whole);
        return true;
    }
    if (a.kind == VALUE_FLOAT && sign != SIGN_INVERT) {
        *ret = value_float(sign == SIGN_NEG ? -a.as.number : a.as.number);
        return true;
    }
    if (is_instance(a) &&
        (!machine_call_method(m, a, m->binary_names[sign][0], NULL, 0, ret, &found) || found))
        return found && m->raised.kind == VALUE_ABSENT;
    return raise_error(m, ERROR_TYPE, "bad operand type for unary %s: '%s'",
                       sign == SIGN_NEG   ? "-"
                       : sign == SIGN_POS ? "+"
                                          : "~",
                       value_class_name(m, a));
}

/* ---- hashing ---- */

static uint64_t mix(uint64_t h)
{
    h ^= h >> 33;
    h *= UINT64_C(0xFF51AFD7ED558CCD);
    return h ^ h >> 33;
}

bool value_hash(struct machine *m, struct value v, uint64_t *ret)
{
    struct value result;
    bool found = false;
    switch (v.kind) {
    case VALUE_NONE:
    case VALUE_ABSENT:
        *ret = 0x1234567;
        return true;
    case VALUE_BOOL:
    case VALUE_INT:
        *ret = mix((uint64_t)v.as.whole);
        return true;
    case VALUE_FLOAT:
        if (v.as.number == floor(v.as.number) && fabs(v.as.number) < 9e18) {
            *ret = mix((uint64_t)(int64_t)v.as.number);
            return true;
        }
        memcpy(ret, &v.as.number, sizeof *ret);
        *ret = mix(*ret);
        return true;
    case VALUE_STRING:
        *ret = string_hash(v.as.string);
        return true;
    case VALUE_THING:
        break;
    default:
        *ret = mix((uint64_t)(uintptr_t)v.as.node);
        return true;
    }
    if (is_ndarray(v)) {
        const struct ndarray *a = as_ndarray(v);
        return a->is_scalar ? value_hash(m, nd_item(a, a->first), ret)
                            : raise_error(m, ERROR_TYPE, "unhashable type: 'numpy.ndarray'");
    }
    if (value_is(v, THING_TUPLE)) {
        const struct tuple *tuple = THING_AS(tuple, v);
        uint64_t all = tuple->n, one;
        for (size_t i = 0; i < tuple->n; i++) {
            if (!value_hash(m, tuple->items[i], &one))
                return false;
            all = mix(all * 31 + one);
        }
        *ret = all;
        return true;
    }
    if (value_is(v, THING_FROZENSET)) {
        const struct table *table = THING_AS(table, v);
        *ret = 77;
        for (size_t i = 0; i < table->n_entries; i++)
            if (table->entries[i].key.kind != VALUE_ABSENT)
                *ret += mix(table->entries[i].hash);
        return true;
    }
    if (is_instance(v)) {
        const struct class *class = class_of(m, v);
        if (!machine_call_method(m, v, m->names[NAME_HASH], NULL, 0, &result, &found))
            return false;
        if (found) {
            *ret = is_whole(result) ? mix((uint64_t)result.as.whole) : 0;
            value_drop(result);
            return true;
        }
        const struct value *equal = class_find(class, m->binary_names[SIGN_EQ][0]);
        if (equal != NULL && value_is(*equal, THING_CLOSURE))
            return raise_error(m, ERROR_TYPE, "unhashable type: '%s'", class_name(class));
        if (value_payload(v).as.thing != v.as.thing || value_payload(v).kind != VALUE_THING)
            return value_hash(m, value_payload(v), ret);
    }
    if (value_is(v, THING_LIST) || value_is(v, THING_DICT) || value_is(v, THING_SET) ||
        value_is(v, THING_SLICE))
        return raise_error(m, ERROR_TYPE, "unhashable type: '%s'", value_class_name(m, v));
    *ret = mix((uint64_t)(uintptr_t)v.as.thing);
    return true;
}

struct search {
    struct machine *m;
    struct value key;
    bool failed;
};

static bool same_key(void *context, const struct value *key)
{
    struct search *search = context;
    bool same = false;
    if (search->failed || value_identical(search->key, *key))
        return true;
    search->failed = !value_equal(search->m, *key, search->key, &same);
    return search->failed || same;
}

bool dict_find(struct machine *m, const struct table *table, struct value key, struct entry **ret)
{
    struct search search = {.m = m, .key = key};
    uint64_t hash;
    *ret = NULL;
    if (key.kind == VALUE_STRING) {
        (void)string_hash(key.as.string);
        *ret = table_find_name(table, key.as.string);
        return true;
    }
    if (!value_hash(m, key, &hash))
        return false;
    *ret = table_find(table, hash, same_key, &search);
    return !search.failed;
}

bool dict_put(struct machine *m, struct table *table, struct value key, struct value value)
{
    struct entry *entry;
    uint64_t hash;
    if (!dict_find(m, table, key, &entry) || !value_hash(m, key, &hash)) {
        value_drop(key);
        value_drop(value);
        return false;
    }
    if (entry != NULL) {
        value_put(&entry->value, value);
        value_drop(key);
        return true;
    }
    return table_add(table, hash, key, value) || raise_memory(m);
}

bool dict_remove(struct machine *m, struct table *table, struct value key, bool *ret_was)
{
    struct entry *entry;
    if (!dict_find(m, table, key, &entry))
        return false;
    *ret_was = entry != NULL;
    if (entry != NULL)
        table_delete(table, entry);
    return true;
}

bool dict_update(struct machine *m, struct table *table, struct value from)
{
    struct array *pairs;
    from = value_payload(from);
    if (value_is(from, THING_DICT)) {
        const struct table *other = THING_AS(table, from);
        for (size_t i = 0; i < other->n_entries; i++)
            if (other->entries[i].key.kind != VALUE_ABSENT &&
                !dict_put(m, table, value_take(other->entries[i].key),
                          value_take(other->entries[i].value)))
                return false;
        return true;
    }
    struct value items = value_absent();
    struct string *keys = intern(m, "keys", 4), *name = intern(m, "items", 5);
    bool is_mapping = keys != NULL && value_is(from, THING_INSTANCE) &&
                      class_find(class_of(m, from), keys) != NULL;
    bool ok = (keys != NULL && name != NULL) || raise_memory(m), found = false;
    ok = ok && (!is_mapping || machine_call_method(m, from, name, NULL, 0, &items, &found)) &&
         value_to_array(m, found ? items : from, &pairs);
    value_drop(items);
    if (!ok)
        return false;
    for (size_t i = 0; ok && i < pairs->n; i++) {
        struct array *pair;
        ok = value_to_array(m, pairs->items[i], &pair);
        if (!ok && raised_is(m, ERROR_TYPE)) {
            raised_clear(m);
            raise_error(m, ERROR_TYPE,
                        "cannot convert dictionary update sequence element #%zu to a sequence", i);
        }
        if (!ok)
            break;
        ok = pair->n == 2
                 ? dict_put(m, table, value_take(pair->items[0]), value_take(pair->items[1]))
                 : raise_error(m, ERROR_VALUE,
                               "dictionary update sequence element #%zu has length %zu; 2 is "
                               "required",
                               i, pair->n);
        value_drop(value_thing(pair));
    }
    value_drop(value_thing(pairs));
    return ok;
}

/* ---- indices ---- */

bool value_length(struct machine *m, struct value v, int64_t *ret)
{
    struct value result;
    bool found = false;
    if (is_instance(v)) {
        if (!machine_call_method(m, v, m->names[NAME_LEN], NULL, 0, &result, &found))
            return false;
        if (found) {
            bool ok = is_whole(result);
            *ret = ok ? result.as.whole : 0;
            value_drop(result);
            return ok || raise_error(m, ERROR_TYPE, "__len__() should return an integer");
        }
        v = value_payload(v);
    }
    if (v.kind == VALUE_STRING) {
        *ret = (int64_t)str_length(v.as.string);
        return true;
    }
    if (class_members(m, v) != NULL)
        v = *class_members(m, v);
    if (v.kind == VALUE_THING)
        switch (thing_id(v.as.thing)) {
        case THING_TUPLE:
            *ret = (int64_t)THING_AS(tuple, v)->n;
            return true;
        case THING_LIST:
            *ret = (int64_t)THING_AS(array, v)->n;
            return true;
        case THING_DICT:
        case THING_SET:
        case THING_FROZENSET:
            *ret = (int64_t)THING_AS(table, v)->n;
            return true;
        case THING_RANGE:
            *ret = (int64_t)range_count(THING_AS(range, v));
            return true;
        case THING_VIEW:
            return value_length(m, THING_AS(view, v)->of, ret);
        case THING_NDARRAY:
            if (as_ndarray(v)->is_scalar)
                break;
            if (as_ndarray(v)->n_axes == 0)
                return raise_error(m, ERROR_TYPE, "len() of unsized object");
            *ret = (int64_t)as_ndarray(v)->shape[0];
            return true;
        case THING_TENSOR: {
            struct node *node = tensor_node(m, as_tensor(v));
            if (node == NULL)
                return false;
            if (node->value.n_axes == 0)
                return raise_error(m, ERROR_TYPE, "len() of a 0-d tensor");
            *ret = (int64_t)node->value.shape[0];
            return true;
        }
        default:
            break;
        }
    return raise_error(m, ERROR_TYPE, "object of type '%s' has no len()", value_class_name(m, v));
}

static bool slice_end(struct machine *m, struct value v, int64_t otherwise, int64_t low,
                      int64_t high, int64_t n, int64_t *ret)
{
    if (v.kind == VALUE_NONE) {
        *ret = otherwise;
        return true;
    }
    if (!value_whole(m, v, ret)) {
        raised_clear(m);
        return raise_error(m, ERROR_TYPE,
                           "slice indices must be integers or None or have an "
                           "__index__ method");
    }
    if (*ret < 0)
        *ret += n;
    *ret = *ret < low ? low : *ret > high ? high : *ret;
    return true;
}

/* Positions of a slice in n items: start, step, and how many. */
static bool slice_positions(struct machine *m, const struct slice *slice, size_t size,
                            int64_t *ret_start, int64_t *ret_step, size_t *ret_count)
{
    int64_t n = (int64_t)size, step = 1, start, stop;
    if (slice->step.kind != VALUE_NONE && !value_whole(m, slice->step, &step))
        return false;
    if (step == 0)
        return raise_error(m, ERROR_VALUE, "slice step cannot be zero");
    step = step < -INT32_MAX ? -INT32_MAX : step > INT32_MAX ? INT32_MAX : step;
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    if (!slice_end(m, slice->start, step > 0 ? 0 : n - 1, low, high, n, &start) ||
        !slice_end(m, slice->stop, step > 0 ? n : -1, low, high, n, &stop))
        return false;
    int64_t span = step > 0 ? stop - start : start - stop, by = step > 0 ? step : -step;
    *ret_start = start;
    *ret_step = step;
    *ret_count = span > 0 ? (size_t)((span + by - 1) / by) : 0;
    return true;
}

static bool position(struct machine *m, struct value at, size_t n, const char *what, bool setting,
                     size_t *ret)
{
    int64_t i;
    if (!is_whole(at) && !is_instance(at) && !is_tensor(at) && !is_ndarray(at))
        return raise_error(m, ERROR_TYPE, "%s indices must be integers%s, not %s", what,
                           at.kind == VALUE_THING || at.kind == VALUE_STRING ||
                                   at.kind == VALUE_FLOAT || at.kind == VALUE_NONE
                               ? " or slices"
                               : "",
                           value_class_name(m, at));
    if (!value_whole(m, at, &i))
        return false;
    if (i < 0)
        i += (int64_t)n;
    if (i < 0 || (uint64_t)i >= n)
        return raise_error(m, ERROR_INDEX, "%s %s out of range", what,
                           setting ? "assignment index" : "index");
    *ret = (size_t)i;
    return true;
}

static bool str_at(struct machine *m, const struct string *s, struct value at, struct value *ret)
{
    size_t n = str_length(s), i, count;
    int64_t start, step;
    if (!value_is(at, THING_SLICE)) {
        if (!is_whole(at) && !(is_ndarray(at) && as_ndarray(at)->is_scalar))
            return raise_error(m, ERROR_TYPE, "string indices must be integers, not '%s'",
                               value_class_name(m, at));
        if (!position(m, at, n, "string", false, &i))
            return false;
        size_t from = str_offset(s, i);
        return make_str(m, s->bytes + from, str_offset(s, i + 1) - from, ret);
    }
    if (!slice_positions(m, THING_AS(slice, at), n, &start, &step, &count))
        return false;
    if (step == 1 || count == 0) {
        size_t from = str_offset(s, (size_t)(count ? start : 0));
        return make_str(m, s->bytes + from, count ? str_offset(s, (size_t)start + count) - from : 0,
                        ret);
    }
    struct text text = {0};
    for (size_t k = 0; k < count; k++) {
        size_t c = (size_t)(start + (int64_t)k * step), from = str_offset(s, c);
        text_add(&text, s->bytes + from, str_offset(s, c + 1) - from);
    }
    return text_to_str(m, &text, ret);
}

static bool items_at(struct machine *m, struct value object, const struct value *items, size_t n,
                     struct value at, struct value *ret)
{
    bool is_tuple = value_is(object, THING_TUPLE);
    size_t i, count;
    int64_t start, step;
    if (!value_is(at, THING_SLICE)) {
        if (!position(m, at, n, is_tuple ? "tuple" : "list", false, &i))
            return false;
        *ret = value_take(items[i]);
        return true;
    }
    if (!slice_positions(m, THING_AS(slice, at), n, &start, &step, &count))
        return false;
    struct tuple *tuple = is_tuple ? tuple_new(&m->things, count) : NULL;
    struct array *array = is_tuple ? NULL : array_new(&m->things, count);
    if (tuple == NULL && array == NULL)
        return raise_memory(m);
    if (is_tuple)
        tuple->form = size_form(THING_AS(tuple, object));
    for (size_t k = 0; k < count; k++) {
        struct value item = value_take(items[start + (int64_t)k * step]);
        if (is_tuple)
            tuple->items[k] = item;
        else if (!array_add(array, item))
            return raise_memory(m);
    }
    *ret = is_tuple ? value_thing(tuple) : value_thing(array);
    return true;
}

static bool range_at(struct machine *m, const struct range *range, struct value at,
                     struct value *ret)
{
    size_t n = range_count(range), i, count;
    int64_t start, step;
    if (!value_is(at, THING_SLICE)) {
        if (!position(m, at, n, "range object", false, &i))
            return false;
        *ret = value_int(range->start + (int64_t)i * range->step);
        return true;
    }
    if (!slice_positions(m, THING_AS(slice, at), n, &start, &step, &count))
        return false;
    struct range *part = thing_new(&m->things, THING_RANGE, 0);
    if (part == NULL)
        return raise_memory(m);
    part->start = range->start + start * range->step;
    part->step = range->step * step;
    part->stop = part->start + (int64_t)count * part->step;
    *ret = value_thing(part);
    return true;
}

static bool missing_key(struct machine *m, struct value object, struct value key, struct value *ret)
{
    bool found = false;
    if (is_instance(object) &&
        (!machine_call_method(m, object, m->names[NAME_MISSING], &key, 1, ret, &found) || found))
        return found && m->raised.kind == VALUE_ABSENT;
    return raise_key(m, key);
}

bool index_get(struct machine *m, struct value object, struct value at, struct value *ret)
{
    struct value whole = object;
    struct entry *entry;
    bool found = false;
    *ret = value_absent();
    if (is_instance(object)) {
        const struct value *method = class_find(class_of(m, object), m->names[NAME_GETITEM]);
        if (method != NULL && !value_is(*method, THING_BUILTIN)) {
            struct value args[2] = {object, at};
            return machine_call(m, *method, args, 2, NULL, ret);
        }
        object = value_payload(object);
    }
    if (object.kind == VALUE_STRING)
        return str_at(m, object.as.string, at, ret);
    if (object.kind == VALUE_THING)
        switch (thing_id(object.as.thing)) {
        case THING_LIST:
            return items_at(m, object, THING_AS(array, object)->items, THING_AS(array, object)->n,
                            at, ret);
        case THING_TUPLE:
            return items_at(m, object, THING_AS(tuple, object)->items, THING_AS(tuple, object)->n,
                            at, ret);
        case THING_DICT:
            if (!dict_find(m, THING_AS(table, object), at, &entry))
                return false;
            if (entry == NULL)
                return missing_key(m, whole, at, ret);
            *ret = value_take(entry->value);
            return true;
        case THING_RANGE:
            return range_at(m, THING_AS(range, object), at, ret);
        case THING_TENSOR:
            return tensor_index_get(m, as_tensor(object), at, ret);
        case THING_NDARRAY:
            return nd_index_get(m, as_ndarray(object), at, ret);
        case THING_CLASS: { /* list[int], Optional[str]: what annotations say */
            struct string *name = intern(m, "__class_getitem__", 17);
            const struct value *hook = name ? class_find(THING_AS(class, object), name) : NULL;
            if (hook != NULL && value_is(*hook, THING_WRAPPER))
                hook = &THING_AS(wrapper, *hook)->get;
            if (hook != NULL && value_is(*hook, THING_CLOSURE))
                return machine_call(m, *hook, (struct value[]){object, at}, 2, NULL, ret);
            *ret = value_take(object);
            return true;
        }
        default:
            break;
        }
    (void)found;
    return raise_error(m, ERROR_TYPE, "'%s' object is not subscriptable",
                       value_class_name(m, whole));
}

/* a[start:stop:step] = items */
static bool set_slice(struct machine *m, struct array *array, const struct slice *slice,
                      struct value items)
{
    int64_t start, step;
    size_t count;
    struct array *more;
    if (!slice_positions(m, slice, array->n, &start, &step, &count) ||
        !value_to_array(m, items, &more))
        return false;
    bool ok = true;
    if (step != 1) {
        ok = more->n == count ||
             raise_error(m, ERROR_VALUE,
                         "attempt to assign sequence of size %zu to extended slice of size %zu",
                         more->n, count);
        for (size_t i = 0; ok && i < count; i++)
            value_put(&array->items[start + (int64_t)i * step], value_take(more->items[i]));
        value_drop(value_thing(more));
        return ok;
    }
    struct array *all = array_new(&m->things, array->n - count + more->n);
    ok = all != NULL;
    for (size_t i = 0; ok && i < (size_t)start; i++)
        ok = array_add(all, value_take(array->items[i]));
    for (size_t i = 0; ok && i < more->n; i++)
        ok = array_add(all, value_take(more->items[i]));
    for (size_t i = (size_t)start + count; ok && i < array->n; i++)
        ok = array_add(all, value_take(array->items[i]));
    if (ok) {
        struct array before = *array;
        array->items = all->items;
        array->n = all->n;
        array->capacity = all->capacity;
        all->items = before.items;
        all->n = before.n;
        all->capacity = before.capacity;
    }
    value_drop(value_thing(all));
    value_drop(value_thing(more));
    return ok || raise_memory(m);
}

bool index_set(struct machine *m, struct value object, struct value at, struct value v)
{
    struct value whole = object, ignored;
    size_t i;
    if (is_instance(object)) {
        const struct value *method = class_find(class_of(m, object), m->names[NAME_SETITEM]);
        if (method != NULL && !value_is(*method, THING_BUILTIN)) {
            struct value args[3] = {object, at, v};
            bool ok = machine_call(m, *method, args, 3, NULL, &ignored);
            value_drop(v);
            if (ok)
                value_drop(ignored);
            return ok;
        }
        object = value_payload(object);
    }
    if (value_is(object, THING_DICT))
        return dict_put(m, THING_AS(table, object), value_take(at), v);
    if (is_tensor(object)) {
        bool ok = tensor_index_set(m, as_tensor(object), at, v);
        value_drop(v);
        return ok;
    }
    if (is_ndarray(object)) {
        bool ok = nd_index_set(m, as_ndarray(object), at, v);
        value_drop(v);
        return ok;
    }
    if (value_is(object, THING_LIST)) {
        struct array *array = THING_AS(array, object);
        if (value_is(at, THING_SLICE)) {
            bool ok = set_slice(m, array, THING_AS(slice, at), v);
            value_drop(v);
            return ok;
        }
        if (!position(m, at, array->n, "list", true, &i)) {
            value_drop(v);
            return false;
        }
        value_put(&array->items[i], v);
        return true;
    }
    value_drop(v);
    return raise_error(m, ERROR_TYPE, "'%s' object does not support item assignment",
                       value_class_name(m, whole));
}

bool index_delete(struct machine *m, struct value object, struct value at)
{
    struct value whole = object, ignored;
    bool found = false;
    size_t i;
    if (is_instance(object)) {
        if (!machine_call_method(m, object, m->names[NAME_DELITEM], &at, 1, &ignored, &found))
            return false;
        if (found) {
            value_drop(ignored);
            return true;
        }
        object = value_payload(object);
    }
    if (value_is(object, THING_DICT))
        return dict_remove(m, THING_AS(table, object), at, &found) && (found || raise_key(m, at));
    if (value_is(object, THING_LIST)) {
        struct array *array = THING_AS(array, object);
        if (value_is(at, THING_SLICE)) {
            struct value nothing = value_thing(array_new(&m->things, 0));
            bool ok = set_slice(m, array, THING_AS(slice, at), nothing);
            value_drop(nothing);
            return ok;
        }
        if (!position(m, at, array->n, "list", true, &i))
            return false;
        struct value item = array->items[i];
        memmove(array->items + i, array->items + i + 1, (array->n - i - 1) * sizeof item);
        array->n--;
        value_drop(item);
        return true;
    }
    return raise_error(m, ERROR_TYPE, "'%s' object doesn't support item deletion",
                       value_class_name(m, whole));
}
