/* The methods of list, tuple, dict, set, numbers, generators, properties, errors and object. */
#include <math.h>
#include <string.h>

#include "lang/notebook/machine_internal.h"

#define METHOD(name) static bool name(struct native_call *c, struct value *ret)
#define ROWS(name_, rows_) const struct native_table name_ = {rows_, sizeof rows_ / sizeof *rows_}

/* The list that a method is called on, also of a class derived from list. */
static struct array *list_of(struct native_call *c)
{
    struct value v = value_payload(c->args[0]);
    if (value_is(v, THING_LIST))
        return THING_AS(array, v);
    raise_error(c->m, ERROR_TYPE, "%s() needs a list", c->native->name);
    return NULL;
}

static struct table *table_of(struct native_call *c)
{
    struct value v = value_payload(c->args[0]);
    if (value_is(v, THING_DICT) || value_is(v, THING_SET) || value_is(v, THING_FROZENSET))
        return THING_AS(table, v);
    raise_error(c->m, ERROR_TYPE, "%s() needs a dict or a set", c->native->name);
    return NULL;
}

/* ---- list ---- */

METHOD(list_append)
{
    struct array *array = list_of(c);
    *ret = value_none();
    return array != NULL && (array_add(array, value_take(c->args[1])) || raise_memory(c->m));
}

METHOD(list_extend)
{
    struct array *array = list_of(c), *more;
    bool ok = true;
    *ret = value_none();
    if (array == NULL || !value_to_array(c->m, c->args[1], &more))
        return false;
    for (size_t i = 0; ok && i < more->n; i++)
        ok = array_add(array, value_take(more->items[i]));
    value_drop(value_thing(more));
    return ok || raise_memory(c->m);
}

METHOD(list_insert)
{
    struct array *array = list_of(c);
    int64_t at;
    (void)ret;
    if (array == NULL || !value_whole(c->m, c->args[1], &at))
        return false;
    int64_t n = (int64_t)array->n;
    at = at < 0 ? at + n : at;
    at = at < 0 ? 0 : at > n ? n : at;
    if (!array_add(array, value_none()))
        return raise_memory(c->m);
    memmove(array->items + at + 1, array->items + at, (size_t)(n - at) * sizeof *array->items);
    array->items[at] = value_take(c->args[2]);
    return true;
}

METHOD(list_pop)
{
    struct array *array = list_of(c);
    int64_t at = -1;
    if (array == NULL || (c->args[1].kind != VALUE_ABSENT && !value_whole(c->m, c->args[1], &at)))
        return false;
    if (array->n == 0)
        return raise_error(c->m, ERROR_INDEX, "pop from empty list");
    at = at < 0 ? at + (int64_t)array->n : at;
    if (at < 0 || at >= (int64_t)array->n)
        return raise_error(c->m, ERROR_INDEX, "pop index out of range");
    *ret = array->items[at];
    memmove(array->items + at, array->items + at + 1,
            (array->n - (size_t)at - 1) * sizeof *array->items);
    array->n--;
    return true;
}

/* The place of a value, from place `start` on; n: it is not there. */
static bool find_item(struct machine *m, const struct value *items, size_t n, struct value v,
                      size_t start, size_t *ret)
{
    bool same = false;
    for (*ret = start; *ret < n; (*ret)++) {
        if (!value_equal(m, items[*ret], v, &same))
            return false;
        if (same)
            return true;
    }
    return true;
}

METHOD(list_remove)
{
    struct array *array = list_of(c);
    size_t at;
    (void)ret;
    if (array == NULL || !find_item(c->m, array->items, array->n, c->args[1], 0, &at))
        return false;
    if (at == array->n)
        return raise_error(c->m, ERROR_VALUE, "list.remove(x): x not in list");
    return index_delete(c->m, value_thing(array), value_int((int64_t)at));
}

static bool items_of(struct native_call *c, const struct value **ret, size_t *ret_n)
{
    struct value v = value_payload(c->args[0]);
    bool is_tuple = value_is(v, THING_TUPLE);
    if (!is_tuple && !value_is(v, THING_LIST))
        return raise_error(c->m, ERROR_TYPE, "%s() needs a list", c->native->name);
    *ret = is_tuple ? THING_AS(tuple, v)->items : THING_AS(array, v)->items;
    *ret_n = is_tuple ? THING_AS(tuple, v)->n : THING_AS(array, v)->n;
    return true;
}

METHOD(list_index)
{
    const struct value *items;
    size_t n, at;
    int64_t start = 0;
    if (!items_of(c, &items, &n) ||
        (c->args[2].kind != VALUE_ABSENT && !value_whole(c->m, c->args[2], &start)) ||
        !find_item(c->m, items, n, c->args[1], start < 0 ? 0 : (size_t)start, &at))
        return false;
    if (at < n) {
        *ret = value_int((int64_t)at);
        return true;
    }
    if (value_is(c->args[0], THING_TUPLE))
        return raise_error(c->m, ERROR_VALUE, "tuple.index(x): x not in tuple");
    struct text shown = {0};
    (void)value_repr(c->m, c->args[1], &shown);
    raise_error(c->m, ERROR_VALUE, "%s is not in list", text_string(&shown));
    text_release(&shown);
    return false;
}

METHOD(list_count)
{
    const struct value *items;
    size_t n, at = 0;
    int64_t count = 0;
    if (!items_of(c, &items, &n))
        return false;
    for (;; at++, count++) {
        if (!find_item(c->m, items, n, c->args[1], at, &at))
            return false;
        if (at >= n)
            break;
    }
    *ret = value_int(count);
    return true;
}

METHOD(list_sort)
{
    struct array *array = list_of(c);
    bool reverse = false;
    *ret = value_none();
    return array != NULL && value_truth(c->m, c->args[2], &reverse) &&
           array_sort(c->m, array, c->args[1], reverse);
}

METHOD(list_reverse)
{
    struct array *array = list_of(c);
    (void)ret;
    for (size_t i = 0; array != NULL && i < array->n / 2; i++) {
        struct value v = array->items[i];
        array->items[i] = array->items[array->n - 1 - i];
        array->items[array->n - 1 - i] = v;
    }
    return array != NULL;
}

METHOD(list_copy)
{
    struct array *copy;
    if (list_of(c) == NULL || !value_to_array(c->m, value_payload(c->args[0]), &copy))
        return false;
    *ret = value_thing(copy);
    return true;
}

METHOD(list_clear)
{
    struct array *array = list_of(c);
    (void)ret;
    while (array != NULL && array->n > 0)
        value_drop(array->items[--array->n]);
    return array != NULL;
}

static const struct native list_rows[] = {
    {"append", {"self", "object"}, list_append},
    {"extend", {"self", "iterable"}, list_extend},
    {"insert", {"self", "index", "object"}, list_insert},
    {"pop", {"self", "index=-1"}, list_pop},
    {"remove", {"self", "value"}, list_remove},
    {"index", {"self", "value", "start=0"}, list_index},
    {"count", {"self", "value"}, list_count},
    {"sort", {"self", "*", "key=None", "reverse=False"}, list_sort},
    {"reverse", {"self"}, list_reverse},
    {"copy", {"self"}, list_copy},
    {"clear", {"self"}, list_clear},
};
ROWS(methods_of_list, list_rows);

static const struct native tuple_rows[] = {
    {"index", {"self", "value", "start=0"}, list_index},
    {"count", {"self", "value"}, list_count},
};
ROWS(methods_of_tuple, tuple_rows);

/* ---- dict ---- */

METHOD(dict_get)
{
    struct table *table = table_of(c);
    struct entry *entry;
    if (table == NULL || !dict_find(c->m, table, c->args[1], &entry))
        return false;
    *ret = entry != NULL                     ? value_take(entry->value)
           : c->args[2].kind == VALUE_ABSENT ? value_none()
                                             : value_take(c->args[2]);
    return true;
}

static bool view_of(struct native_call *c, enum iterator_kind kind, struct value *ret)
{
    struct table *table = table_of(c);
    struct view *view = table ? thing_new(&c->m->things, THING_VIEW, 0) : NULL;
    if (view == NULL)
        return raise_memory(c->m);
    view->kind = kind;
    view->of = value_take(value_thing(table));
    *ret = value_thing(view);
    return true;
}
METHOD(dict_keys)
{
    return view_of(c, ITERATE_KEYS, ret);
}
METHOD(dict_values)
{
    return view_of(c, ITERATE_VALUES, ret);
}
METHOD(dict_items)
{
    return view_of(c, ITERATE_ITEMS, ret);
}

METHOD(dict_pop)
{
    struct table *table = table_of(c);
    struct entry *entry;
    if (table == NULL || !dict_find(c->m, table, c->args[1], &entry))
        return false;
    if (entry != NULL) {
        *ret = value_take(entry->value);
        table_delete(table, entry);
        return true;
    }
    if (c->args[2].kind == VALUE_ABSENT)
        return raise_key(c->m, c->args[1]);
    *ret = value_take(c->args[2]);
    return true;
}

METHOD(dict_popitem)
{
    struct table *table = table_of(c);
    if (table == NULL)
        return false;
    for (size_t i = table->n_entries; i-- > 0;)
        if (table->entries[i].key.kind != VALUE_ABSENT) {
            struct value pair[2] = {table->entries[i].key, table->entries[i].value};
            if (!make_tuple(c->m, pair, 2, ret))
                return false;
            table_delete(table, &table->entries[i]);
            return true;
        }
    return raise_error(c->m, ERROR_KEY, "popitem(): dictionary is empty");
}

METHOD(dict_setdefault)
{
    struct table *table = table_of(c);
    struct entry *entry;
    if (table == NULL || !dict_find(c->m, table, c->args[1], &entry))
        return false;
    if (entry != NULL) {
        *ret = value_take(entry->value);
        return true;
    }
    *ret = c->args[2].kind == VALUE_ABSENT ? value_none() : value_take(c->args[2]);
    return dict_put(c->m, table, value_take(c->args[1]), value_take(*ret));
}

METHOD(dict_update_method)
{
    struct table *table = table_of(c);
    *ret = value_none();
    if (table == NULL || (c->n_rest > 0 && !dict_update(c->m, table, c->rest[0])))
        return false;
    for (size_t i = 0; i < c->n_named; i++)
        if (!dict_put(c->m, table, value_take(c->named_names[i]), value_take(c->named_values[i])))
            return false;
    return true;
}

METHOD(table_copy)
{
    struct table *table = table_of(c), *copy;
    if (table == NULL || (copy = table_new(&c->m->things, thing_id(&table->thing))) == NULL)
        return false;
    *ret = value_thing(copy);
    for (size_t i = 0; i < table->n_entries; i++)
        if (table->entries[i].key.kind != VALUE_ABSENT &&
            !dict_put(c->m, copy, value_take(table->entries[i].key),
                      value_take(table->entries[i].value)))
            return false;
    return true;
}

METHOD(table_clear_method)
{
    struct table *table = table_of(c);
    (void)ret;
    if (table != NULL)
        table_clear(table);
    return table != NULL;
}

METHOD(dict_fromkeys)
{
    struct table *table = table_new(&c->m->things, THING_DICT);
    struct array *keys;
    if (table == NULL || !value_to_array(c->m, c->args[0], &keys))
        return false;
    *ret = value_thing(table);
    bool ok = true;
    for (size_t i = 0; ok && i < keys->n; i++)
        ok = dict_put(c->m, table, value_take(keys->items[i]),
                      c->args[1].kind == VALUE_ABSENT ? value_none() : value_take(c->args[1]));
    value_drop(value_thing(keys));
    return ok;
}

static const struct native dict_rows[] = {
    {"get", {"self", "key", "default=None"}, dict_get},
    {"keys", {"self"}, dict_keys},
    {"values", {"self"}, dict_values},
    {"items", {"self"}, dict_items},
    {"pop", {"self", "key", "default="}, dict_pop},
    {"popitem", {"self"}, dict_popitem},
    {"setdefault", {"self", "key", "default=None"}, dict_setdefault},
    {"update", {"self", "*other", "**named"}, dict_update_method},
    {"copy", {"self"}, table_copy},
    {"clear", {"self"}, table_clear_method},
    {"fromkeys", {"iterable", "value=None"}, dict_fromkeys},
};
ROWS(methods_of_dict, dict_rows);

/* ---- set ---- */

METHOD(set_add)
{
    struct table *table = table_of(c);
    *ret = value_none();
    return table != NULL && dict_put(c->m, table, value_take(c->args[1]), value_absent());
}

METHOD(set_discard)
{
    struct table *table = table_of(c);
    bool was;
    (void)ret;
    return table != NULL && dict_remove(c->m, table, c->args[1], &was);
}

METHOD(set_remove)
{
    struct table *table = table_of(c);
    bool was = false;
    (void)ret;
    return table != NULL && dict_remove(c->m, table, c->args[1], &was) &&
           (was || raise_key(c->m, c->args[1]));
}

METHOD(set_pop)
{
    struct table *table = table_of(c);
    for (size_t i = 0; table != NULL && i < table->n_entries; i++)
        if (table->entries[i].key.kind != VALUE_ABSENT) {
            *ret = value_take(table->entries[i].key);
            table_delete(table, &table->entries[i]);
            return true;
        }
    return table != NULL && raise_error(c->m, ERROR_KEY, "pop from an empty set");
}

/* self OP other, where other is any iterable. */
static bool set_operate(struct native_call *c, enum sign sign, struct value *ret)
{
    struct value result = value_take(value_payload(c->args[0]));
    for (size_t i = 0; i < c->n_rest; i++) {
        struct value other, next;
        struct value arg = c->rest[i];
        if (!own_class_call(c->m, c->m->classes[CLASS_SET], &arg, 1, NULL, &other))
            return false;
        bool ok = operate(c->m, sign, result, other, false, &next);
        value_drop(other);
        if (!ok)
            return false;
        value_put(&result, next);
    }
    *ret = result;
    return true;
}
METHOD(set_union)
{
    return set_operate(c, SIGN_OR, ret);
}
METHOD(set_intersection)
{
    return set_operate(c, SIGN_AND, ret);
}
METHOD(set_difference)
{
    return set_operate(c, SIGN_SUB, ret);
}
METHOD(set_symmetric)
{
    return set_operate(c, SIGN_XOR, ret);
}
METHOD(set_issubset)
{
    return set_operate(c, SIGN_LE, ret);
}
METHOD(set_issuperset)
{
    return set_operate(c, SIGN_GE, ret);
}

METHOD(set_update)
{
    struct table *table = table_of(c);
    *ret = value_none();
    for (size_t i = 0; table != NULL && i < c->n_rest; i++) {
        struct array *items;
        bool ok = value_to_array(c->m, c->rest[i], &items);
        if (!ok)
            return false;
        for (size_t k = 0; ok && k < items->n; k++)
            ok = dict_put(c->m, table, value_take(items->items[k]), value_absent());
        value_drop(value_thing(items));
        if (!ok)
            return false;
    }
    return table != NULL;
}

METHOD(set_isdisjoint)
{
    struct value both;
    if (!set_operate(c, SIGN_AND, &both))
        return false;
    *ret = value_bool(THING_AS(table, both)->n == 0);
    value_drop(both);
    return true;
}

static const struct native set_rows[] = {
    {"add", {"self", "elem"}, set_add},
    {"discard", {"self", "elem"}, set_discard},
    {"remove", {"self", "elem"}, set_remove},
    {"pop", {"self"}, set_pop},
    {"union", {"self", "*others"}, set_union},
    {"intersection", {"self", "*others"}, set_intersection},
    {"difference", {"self", "*others"}, set_difference},
    {"symmetric_difference", {"self", "*other"}, set_symmetric},
    {"issubset", {"self", "*other"}, set_issubset},
    {"issuperset", {"self", "*other"}, set_issuperset},
    {"isdisjoint", {"self", "*other"}, set_isdisjoint},
    {"update", {"self", "*others"}, set_update},
    {"copy", {"self"}, table_copy},
    {"clear", {"self"}, table_clear_method},
};
ROWS(methods_of_set, set_rows);

/* ---- numbers ---- */

METHOD(int_bit_length)
{
    int64_t whole = c->args[0].as.whole, n = 0;
    for (uint64_t u = whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole; u > 0; u >>= 1)
        n++;
    *ret = value_int(n);
    return true;
}

METHOD(float_is_integer)
{
    double number;
    if (!value_number(c->m, c->args[0], &number))
        return false;
    *ret = value_bool(isfinite(number) && number == floor(number));
    return true;
}

/* x.imag of a real number */
METHOD(number_imag)
{
    *ret = c->args[0].kind == VALUE_FLOAT ? value_float(0) : value_int(0);
    return c->m != NULL;
}
METHOD(number_itself)
{
    *ret = value_take(c->args[0]);
    return true;
}

static const struct native number_properties[] = {
    {"real", {"self"}, number_itself},
    {"imag", {"self"}, number_imag},
};
const struct native_table properties_of_numbers = {
    number_properties, sizeof number_properties / sizeof *number_properties};

/* x.__round__(n) is round(x, n) */
static bool number_round(struct native_call *c, struct value *ret)
{
    struct string *name = intern(c->m, "round", 5);
    const struct entry *entry = name ? table_find_name(c->m->builtins, name) : NULL;
    return entry != NULL ? machine_call(c->m, entry->value, c->args,
                                        c->args[1].kind == VALUE_ABSENT ? 1 : 2, NULL, ret)
                         : raise_memory(c->m);
}

static const struct native int_rows[] = {
    {"__round__", {"self", "ndigits="}, number_round},
    {"bit_length", {"self"}, int_bit_length},
    {"conjugate", {"self"}, number_itself},
};
ROWS(methods_of_int, int_rows);
static const struct native float_rows[] = {
    {"__round__", {"self", "ndigits="}, number_round},
    {"is_integer", {"self"}, float_is_integer},
    {"conjugate", {"self"}, number_itself},
};
ROWS(methods_of_float, float_rows);

/* ---- object, errors, properties, generators ---- */

METHOD(object_init)
{
    /* super().__init__(...) of a class derived from list, dict or an error */
    struct value self = c->args[0];
    *ret = value_none();
    if (!value_is(self, THING_INSTANCE))
        return true;
    struct instance *instance = THING_AS(instance, self);
    if (instance->class->is_error || c->n_rest == 0)
        return true;
    if (value_is(instance->payload, THING_DICT))
        return dict_update(c->m, THING_AS(table, instance->payload), c->rest[0]);
    if (value_is(instance->payload, THING_LIST)) {
        struct array *items;
        bool ok = true;
        if (!value_to_array(c->m, c->rest[0], &items))
            return false;
        for (size_t i = 0; ok && i < items->n; i++)
            ok = array_add(THING_AS(array, instance->payload), value_take(items->items[i]));
        value_drop(value_thing(items));
        return ok || raise_memory(c->m);
    }
    return instance->payload.kind != VALUE_ABSENT ||
           raise_error(c->m, ERROR_TYPE,
                       "object.__init__() takes exactly one argument (the instance to "
                       "initialize)");
}

METHOD(object_setattr)
{
    struct value self = c->args[0];
    *ret = value_none();
    if (!value_is(self, THING_INSTANCE) || c->args[1].kind != VALUE_STRING)
        return raise_error(c->m, ERROR_TYPE, "__setattr__ needs an object and a name");
    struct instance *instance = THING_AS(instance, self);
    struct string *name = intern(c->m, c->args[1].as.string->bytes, c->args[1].as.string->size);
    if (instance->attributes == NULL)
        instance->attributes = table_new(&c->m->things, THING_DICT);
    return name != NULL && instance->attributes != NULL &&
           table_put_name(instance->attributes, name, value_take(c->args[2]));
}

METHOD(object_getattribute)
{
    struct string *name =
        c->args[1].kind == VALUE_STRING
            ? intern(c->m, c->args[1].as.string->bytes, c->args[1].as.string->size)
            : NULL;
    return name != NULL && attribute_get(c->m, c->args[0], name, ret);
}

METHOD(object_repr)
{
    struct text out = {0};
    const struct value self = c->args[0];
    if (!value_is(self, THING_INSTANCE) || value_payload(self).kind != VALUE_THING ||
        value_payload(self).as.thing != self.as.thing) {
        if (!value_repr(c->m, value_payload(self), &out)) {
            text_release(&out);
            return false;
        }
    } else {
        text_format(&out, "<__main__.%s object at 0x%012llx>", value_class_name(c->m, self),
                    (unsigned long long)(uintptr_t)self.as.thing);
    }
    return text_to_str(c->m, &out, ret);
}

/* Methods of the list or dict that an instance of a derived class is, by super(). */
METHOD(object_getitem)
{
    struct value self = value_payload(c->args[0]);
    if (value_is(self, THING_INSTANCE))
        return raise_error(c->m, ERROR_TYPE, "'%s' object is not subscriptable",
                           value_class_name(c->m, self));
    return index_get(c->m, self, c->args[1], ret);
}
METHOD(object_setitem)
{
    *ret = value_none();
    return index_set(c->m, value_payload(c->args[0]), c->args[1], value_take(c->args[2]));
}
METHOD(object_contains)
{
    bool truth;
    if (!value_contains(c->m, value_payload(c->args[0]), c->args[1], &truth))
        return false;
    *ret = value_bool(truth);
    return true;
}
METHOD(object_len)
{
    int64_t n;
    if (!value_length(c->m, value_payload(c->args[0]), &n))
        return false;
    *ret = value_int(n);
    return true;
}
METHOD(object_iter)
{
    return value_iterate(c->m, value_payload(c->args[0]), ret);
}

METHOD(object_new)
{
    /* cls.__new__(cls, value): an instance whose __init__ did not run; value: of a class that
     * stands on int, str, tuple, ... */
    if (!value_is(c->args[0], THING_CLASS) || THING_AS(class, c->args[0])->is_own)
        return raise_error(c->m, ERROR_TYPE, "__new__ needs a class of this cell");
    return class_make_instance(c->m, THING_AS(class, c->args[0]), c->rest, c->n_rest, NULL, ret);
}

/* What super().__init_subclass__() finds at last. */
METHOD(object_init_subclass)
{
    *ret = value_none();
    return c->m != NULL;
}

static const struct native object_rows[] = {
    {"__init__", {"self", "*args", "**kwargs"}, object_init},
    {"__setattr__", {"self", "name", "value"}, object_setattr},
    {"__getattribute__", {"self", "name"}, object_getattribute},
    {"__repr__", {"self"}, object_repr},
    {"__new__", {"cls", "*args", "**kwargs"}, object_new},
    {"__init_subclass__", {"*args", "**kwargs"}, object_init_subclass},
};
ROWS(methods_of_object, object_rows);

static const struct native collection_rows[] = {
    {"__getitem__", {"self", "key"}, object_getitem},
    {"__setitem__", {"self", "key", "value"}, object_setitem},
    {"__contains__", {"self", "key"}, object_contains},
    {"__len__", {"self"}, object_len},
    {"__iter__", {"self"}, object_iter},
};
ROWS(methods_of_collections, collection_rows);

METHOD(error_init)
{
    *ret = value_none();
    if (!value_is(c->args[0], THING_INSTANCE))
        return true;
    struct value args;
    if (!make_tuple(c->m, c->rest, c->n_rest, &args))
        return false;
    value_put(&THING_AS(instance, c->args[0])->payload, args);
    return true;
}

METHOD(error_str)
{
    struct text out = {0};
    const struct tuple *args = THING_AS(tuple, THING_AS(instance, c->args[0])->payload);
    if (args->n == 1 && !value_str(c->m, args->items[0], &out)) {
        text_release(&out);
        return false;
    }
    return text_to_str(c->m, &out, ret);
}

METHOD(error_itself)
{
    *ret = value_take(c->args[0]);
    return true;
}

static const struct native error_rows[] = {
    {"__init__", {"self", "*args"}, error_init},
    {"__str__", {"self"}, error_str},
    {"with_traceback", {"self", "tb"}, error_itself},
};
ROWS(methods_of_error, error_rows);

static bool property_with(struct native_call *c, bool is_setter, struct value *ret)
{
    struct wrapper *from = THING_AS(wrapper, c->args[0]), *wrapper;
    wrapper = thing_new(&c->m->things, THING_WRAPPER, 0);
    if (wrapper == NULL)
        return raise_memory(c->m);
    wrapper->kind = from->kind;
    wrapper->get = value_take(is_setter ? from->get : c->args[1]);
    wrapper->set = value_take(is_setter ? c->args[1] : from->set);
    *ret = value_thing(wrapper);
    return true;
}
METHOD(property_setter)
{
    return property_with(c, true, ret);
}
METHOD(property_getter)
{
    return property_with(c, false, ret);
}
static const struct native property_rows[] = {
    {"setter", {"self", "function"}, property_setter},
    {"getter", {"self", "function"}, property_getter},
};
ROWS(methods_of_property, property_rows);

/* StopIteration with what the generator returned. */
static bool generator_ended(struct machine *m, const struct generator *generator)
{
    struct value error, result = generator->result;
    bool has = result.kind != VALUE_ABSENT && result.kind != VALUE_NONE;
    if (value_make_error(m, m->errors[ERROR_STOP], &result, has, &error))
        raise_value(m, error);
    return false;
}

METHOD(generator_send)
{
    if (!generator_resume(c->m, THING_AS(generator, c->args[0]), value_take(c->args[1]), ret))
        return false;
    return ret->kind != VALUE_ABSENT || generator_ended(c->m, THING_AS(generator, c->args[0]));
}
METHOD(generator_next_method)
{
    c->args[1] = value_none();
    return generator_send(c, ret);
}
/* throw(error), throw(class): the error comes out of the yield that the generator waits at. */
METHOD(generator_throw_method)
{
    struct value error = value_take(c->args[1]);
    if (value_is(error, THING_CLASS)) {
        value_drop(error);
        if (!machine_call(c->m, c->args[1], &c->args[2],
                          c->args[2].kind != VALUE_ABSENT && c->args[2].kind != VALUE_NONE, NULL,
                          &error))
            return false;
    }
    if (!value_is(error, THING_INSTANCE) || !THING_AS(instance, error)->class->is_error) {
        value_drop(error);
        return raise_error(c->m, ERROR_TYPE,
                           "exceptions must be classes or instances deriving from BaseException, "
                           "not %s",
                           value_class_name(c->m, c->args[1]));
    }
    struct generator *generator = THING_AS(generator, c->args[0]);
    if (!generator_throw(c->m, generator, error, ret))
        return false;
    return ret->kind != VALUE_ABSENT || generator_ended(c->m, generator);
}
METHOD(generator_close)
{
    struct value error, yielded;
    struct generator *generator = THING_AS(generator, c->args[0]);
    *ret = value_none();
    if (generator->frame == NULL)
        return true;
    if (!value_make_error(c->m, c->m->errors[ERROR_GENERATOR_EXIT], NULL, 0, &error))
        return false;
    if (!generator_throw(c->m, generator, error, &yielded)) {
        if (!raised_is(c->m, ERROR_GENERATOR_EXIT) && !raised_is(c->m, ERROR_STOP))
            return false;
        raised_clear(c->m);
        return true;
    }
    if (yielded.kind == VALUE_ABSENT)
        return true;
    value_drop(yielded);
    return raise_error(c->m, ERROR_RUNTIME, "generator ignored GeneratorExit");
}
static const struct native generator_rows[] = {
    {"send", {"self", "value"}, generator_send},
    {"__next__", {"self"}, generator_next_method},
    {"close", {"self"}, generator_close},
    {"throw", {"self", "type", "value="}, generator_throw_method},
};
ROWS(methods_of_generator, generator_rows);
