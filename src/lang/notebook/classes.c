/* Classes, their instances, and attributes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"

static const char *const known_names[NAME_COUNT] = {
    [NAME_INIT] = "__init__",
    [NAME_NEW] = "__new__",
    [NAME_CALL] = "__call__",
    [NAME_REPR] = "__repr__",
    [NAME_STR] = "__str__",
    [NAME_LEN] = "__len__",
    [NAME_GETITEM] = "__getitem__",
    [NAME_SETITEM] = "__setitem__",
    [NAME_DELITEM] = "__delitem__",
    [NAME_CONTAINS] = "__contains__",
    [NAME_ITER] = "__iter__",
    [NAME_NEXT] = "__next__",
    [NAME_ENTER] = "__enter__",
    [NAME_EXIT] = "__exit__",
    [NAME_HASH] = "__hash__",
    [NAME_BOOL] = "__bool__",
    [NAME_GETATTR] = "__getattr__",
    [NAME_SETATTR] = "__setattr__",
    [NAME_DICT] = "__dict__",
    [NAME_CLASS] = "__class__",
    [NAME_NAME] = "__name__",
    [NAME_DOC] = "__doc__",
    [NAME_FORMAT] = "__format__",
    [NAME_QUALNAME] = "__qualname__",
    [NAME_MODULE] = "__module__",
    [NAME_BASES] = "__bases__",
    [NAME_MRO] = "__mro__",
    [NAME_ARGS] = "args",
    [NAME_FLOAT] = "__float__",
    [NAME_INT] = "__int__",
    [NAME_INDEX] = "__index__",
    [NAME_ABS] = "__abs__",
    [NAME_REVERSED] = "__reversed__",
    [NAME_MISSING] = "__missing__",
    [NAME_POST_INIT] = "__post_init__",
    [NAME_ANNOTATIONS] = "__annotations__",
    [NAME_ROUND] = "__round__",
    [NAME_DELATTR] = "__delattr__",
    [NAME_SLOTS] = "__slots__",
    [NAME_SET_NAME] = "__set_name__",
    [NAME_DEFAULTS] = "__defaults__",
    [NAME_SELF] = "__self__",
    [NAME_FUNC] = "__func__",
    [NAME_FGET] = "fget",
    [NAME_INIT_SUBCLASS] = "__init_subclass__",
    [NAME_WRAPPED] = "__wrapped__",
    [NAME_VALUE] = "value",
    [NAME_GET_OF] = "__get__",
    [NAME_SET_OF] = "__set__",
    [NAME_DELETE_OF] = "__delete__",
};

static const char *const sign_names[SIGN_COUNT] = {
    [SIGN_ADD] = "add",       [SIGN_SUB] = "sub",        [SIGN_MUL] = "mul",
    [SIGN_DIV] = "truediv",   [SIGN_FLOOR] = "floordiv", [SIGN_MOD] = "mod",
    [SIGN_POW] = "pow",       [SIGN_MATMUL] = "matmul",  [SIGN_AND] = "and",
    [SIGN_OR] = "or",         [SIGN_XOR] = "xor",        [SIGN_LEFT] = "lshift",
    [SIGN_RIGHT] = "rshift",  [SIGN_EQ] = "eq",          [SIGN_NE] = "ne",
    [SIGN_LT] = "lt",         [SIGN_LE] = "le",          [SIGN_GT] = "gt",
    [SIGN_GE] = "ge",         [SIGN_NEG] = "neg",        [SIGN_POS] = "pos",
    [SIGN_INVERT] = "invert",
};

/* The classes of attn's own, and the methods of their values. */
static const struct {
    const char *name;
    const struct native_table *methods;
    bool is_builtin; /* a name that every cell has */
} own_rows[CLASS_COUNT] = {
    [CLASS_OBJECT] = {"object", &methods_of_object, true},
    [CLASS_TYPE] = {"type", NULL, true},
    [CLASS_NONE] = {"NoneType", NULL, false},
    [CLASS_BOOL] = {"bool", NULL, true},
    [CLASS_INT] = {"int", &methods_of_int, true},
    [CLASS_FLOAT] = {"float", &methods_of_float, true},
    [CLASS_STR] = {"str", &methods_of_str, true},
    [CLASS_TUPLE] = {"tuple", &methods_of_tuple, true},
    [CLASS_LIST] = {"list", &methods_of_list, true},
    [CLASS_DICT] = {"dict", &methods_of_dict, true},
    [CLASS_SET] = {"set", &methods_of_set, true},
    [CLASS_FROZENSET] = {"frozenset", &methods_of_set, true},
    [CLASS_RANGE] = {"range", NULL, true},
    [CLASS_SLICE] = {"slice", NULL, true},
    [CLASS_FUNCTION] = {"function", NULL, false},
    [CLASS_BUILTIN] = {"builtin_function_or_method", NULL, false},
    [CLASS_METHOD] = {"method", NULL, false},
    [CLASS_PROPERTY] = {"property", &methods_of_property, true},
    [CLASS_STATIC] = {"staticmethod", NULL, true},
    [CLASS_CLASS_METHOD] = {"classmethod", NULL, true},
    [CLASS_SUPER] = {"super", NULL, true},
    [CLASS_MODULE] = {"module", NULL, false},
    [CLASS_GENERATOR] = {"generator", &methods_of_generator, false},
    [CLASS_ITERATOR] = {"iterator", NULL, false},
    [CLASS_VIEW] = {"dict_view", NULL, false},
    [CLASS_ENUMERATE] = {"enumerate", NULL, true},
    [CLASS_ZIP] = {"zip", NULL, true},
    [CLASS_MAP] = {"map", NULL, true},
    [CLASS_FILTER] = {"filter", NULL, true},
    [CLASS_REVERSED] = {"reversed", NULL, true},
    [CLASS_ELLIPSIS] = {"ellipsis", NULL, false},
    [CLASS_NOT_IMPLEMENTED] = {"NotImplementedType", NULL, false},
    [CLASS_CELL] = {"cell", NULL, false},
    [CLASS_COUNTER] = {"Counter", NULL, false},
    [CLASS_DEFAULTDICT] = {"defaultdict", NULL, false},
    [CLASS_NAMESPACE] = {"SimpleNamespace", NULL, false},
    [CLASS_TENSOR] = {"Tensor", NULL, false}, /* methods: torch.c */
    [CLASS_PARAMETER] = {"Parameter", NULL, false},
    [CLASS_DTYPE] = {"dtype", NULL, false},
    [CLASS_STREAM] = {"Generator", NULL, false},
    [CLASS_SIZE] = {"Size", NULL, false},
    [CLASS_RESULTS] = {"return_types", NULL, false},
    [CLASS_NDARRAY] = {"ndarray", NULL, false}, /* methods: numpy.c */
    [CLASS_NP_GENERIC] = {"generic", NULL, false},
    [CLASS_NP_INTEGER] = {"integer", NULL, false},
    [CLASS_NP_FLOATING] = {"floating", NULL, false},
    [CLASS_NP_BOOL] = {"bool_", NULL, false},
    [CLASS_NP_UINT8] = {"uint8", NULL, false},
    [CLASS_NP_INT8] = {"int8", NULL, false},
    [CLASS_NP_INT16] = {"int16", NULL, false},
    [CLASS_NP_INT32] = {"int32", NULL, false},
    [CLASS_NP_INT64] = {"int64", NULL, false},
    [CLASS_NP_FLOAT16] = {"float16", NULL, false},
    [CLASS_NP_FLOAT32] = {"float32", NULL, false},
    [CLASS_NP_FLOAT64] = {"float64", NULL, false},
};

/* ---- classes ---- */

const char *class_name(const struct class *class)
{
    return class->name.as.string->bytes;
}

bool class_is(const struct class *class, const struct class *of)
{
    for (size_t i = 0; i < class->order->n; i++)
        if (THING_AS(class, class->order->items[i]) == of)
            return true;
    return false;
}

struct class *class_of(const struct machine *m, struct value v)
{
    static const enum own_class of_things[THING_COUNT] = {
        [THING_TUPLE] = CLASS_TUPLE,         [THING_LIST] = CLASS_LIST,
        [THING_DICT] = CLASS_DICT,           [THING_SET] = CLASS_SET,
        [THING_FROZENSET] = CLASS_FROZENSET, [THING_RANGE] = CLASS_RANGE,
        [THING_SLICE] = CLASS_SLICE,         [THING_VARIABLE] = CLASS_CELL,
        [THING_CLOSURE] = CLASS_FUNCTION,    [THING_BUILTIN] = CLASS_BUILTIN,
        [THING_BOUND] = CLASS_METHOD,        [THING_CLASS] = CLASS_TYPE,
        [THING_SUPER] = CLASS_SUPER,         [THING_MODULE] = CLASS_MODULE,
        [THING_GENERATOR] = CLASS_GENERATOR, [THING_VIEW] = CLASS_VIEW,
        [THING_TENSOR] = CLASS_TENSOR,       [THING_DTYPE] = CLASS_DTYPE,
        [THING_STREAM] = CLASS_STREAM,       [THING_NDARRAY] = CLASS_NDARRAY,
    };
    static const enum own_class of_wrappers[] = {CLASS_PROPERTY, CLASS_STATIC, CLASS_CLASS_METHOD};
    switch (v.kind) {
    case VALUE_NONE:
        return m->classes[CLASS_NONE];
    case VALUE_BOOL:
        return m->classes[CLASS_BOOL];
    case VALUE_INT:
        return m->classes[CLASS_INT];
    case VALUE_FLOAT:
        return m->classes[CLASS_FLOAT];
    case VALUE_STRING:
        return m->classes[CLASS_STR];
    case VALUE_THING:
        break;
    default:
        return m->classes[CLASS_OBJECT];
    }
    switch (thing_id(v.as.thing)) {
    case THING_INSTANCE:
        return THING_AS(instance, v)->class;
    case THING_TENSOR:
        return m->classes[as_tensor(v)->is_parameter ? CLASS_PARAMETER : CLASS_TENSOR];
    case THING_NDARRAY: {
        static const enum own_class of_scalars[DTYPE_COUNT] = {
            [DTYPE_BOOL] = CLASS_NP_BOOL,       [DTYPE_UINT8] = CLASS_NP_UINT8,
            [DTYPE_INT8] = CLASS_NP_INT8,       [DTYPE_INT16] = CLASS_NP_INT16,
            [DTYPE_INT32] = CLASS_NP_INT32,     [DTYPE_INT64] = CLASS_NP_INT64,
            [DTYPE_FLOAT16] = CLASS_NP_FLOAT16, [DTYPE_FLOAT32] = CLASS_NP_FLOAT32,
            [DTYPE_FLOAT64] = CLASS_NP_FLOAT64,
        };
        return m
            ->classes[as_ndarray(v)->is_scalar ? of_scalars[as_ndarray(v)->dtype] : CLASS_NDARRAY];
    }
    case THING_TUPLE:
        return m->classes[THING_AS(tuple, v)->form == NULL              ? CLASS_TUPLE
                          : THING_AS(tuple, v)->form->fields[0] == NULL ? CLASS_SIZE
                                                                        : CLASS_RESULTS];
    case THING_WRAPPER:
        return m->classes[of_wrappers[THING_AS(wrapper, v)->kind]];
    case THING_ITERATOR:
        switch (THING_AS(iterator, v)->kind) {
        case ITERATE_ENUMERATE:
            return m->classes[CLASS_ENUMERATE];
        case ITERATE_ZIP:
            return m->classes[CLASS_ZIP];
        case ITERATE_MAP:
            return m->classes[CLASS_MAP];
        case ITERATE_FILTER:
            return m->classes[CLASS_FILTER];
        case ITERATE_REVERSED:
            return m->classes[CLASS_REVERSED];
        default:
            return m->classes[CLASS_ITERATOR];
        }
    default:
        return m->classes[of_things[thing_id(v.as.thing)]];
    }
}

const char *value_class_name(const struct machine *m, struct value v)
{
    static const char *const of_scalars[DTYPE_COUNT] = {
        "numpy.bool_",   "numpy.uint8",   "numpy.int8",     "numpy.int16",
        "numpy.int32",   "numpy.int64",   "numpy.float16",  "numpy.bfloat16",
        "numpy.float32", "numpy.float64", "numpy.complex64"};
    if (is_ndarray(v))
        return as_ndarray(v)->is_scalar ? of_scalars[as_ndarray(v)->dtype] : "numpy.ndarray";
    return class_name(class_of(m, v));
}

bool value_isinstance(const struct machine *m, struct value v, const struct class *class)
{
    const struct class *of = class_of(m, v);
    return of == class || class_is(of, class);
}

struct value value_payload(struct value v)
{
    if (!value_is(v, THING_INSTANCE) || THING_AS(instance, v)->class->is_error)
        return v;
    struct value payload = THING_AS(instance, v)->payload;
    return payload.kind == VALUE_ABSENT ? v : payload;
}

const struct value *class_find(const struct class *class, const struct string *name)
{
    for (size_t i = 0; i < class->order->n; i++) {
        const struct entry *entry =
            table_find_name(THING_AS(class, class->order->items[i])->attributes, name);
        if (entry != NULL)
            return &entry->value;
    }
    return NULL;
}

/* Whether class stands in one of the orders behind its first place. */
static bool in_a_tail(struct array *const *orders, const size_t *at, size_t n, struct value class)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = at[i] + 1; k < orders[i]->n; k++)
            if (orders[i]->items[k].as.thing == class.as.thing)
                return true;
    return false;
}

enum { MAX_BASES = 16 };

/* The order in which attributes are looked for: Python's C3. */
static bool class_set_order(struct machine *m, struct class *class)
{
    struct array *orders[MAX_BASES + 1];
    size_t at[MAX_BASES + 1] = {0}, n = class->bases->n;
    struct array bases = {.n = n, .items = class->bases->items};
    class->order = array_new(&m->things, 4);
    if (class->order == NULL || n > MAX_BASES)
        return n > MAX_BASES ? raise_error(m, ERROR_TYPE, "a class may have 16 bases")
                             : raise_memory(m);
    if (!array_add(class->order, value_take(value_thing(class))))
        return raise_memory(m);
    for (size_t i = 0; i < n; i++)
        orders[i] = THING_AS(class, class->bases->items[i])->order;
    orders[n] = &bases;
    for (;;) {
        size_t i = 0;
        bool left = false;
        for (; i <= n; i++) {
            if (at[i] >= orders[i]->n)
                continue;
            left = true;
            if (!in_a_tail(orders, at, n + 1, orders[i]->items[at[i]]))
                break;
        }
        if (!left)
            return true;
        if (i > n)
            return raise_error(m, ERROR_TYPE,
                               "Cannot create a consistent method resolution order (MRO)");
        struct value next = orders[i]->items[at[i]];
        if (!array_add(class->order, value_take(next)))
            return raise_memory(m);
        for (size_t k = 0; k <= n; k++)
            if (at[k] < orders[k]->n && orders[k]->items[at[k]].as.thing == next.as.thing)
                at[k]++;
    }
}

/* Takes attributes over. */
static struct class *new_class(struct machine *m, struct string *name, const struct value *bases,
                               size_t n, struct table *attributes)
{
    struct class *class = thing_new(&m->things, THING_CLASS, 0);
    struct value made = value_absent();
    if (class == NULL || attributes == NULL) {
        value_drop(value_thing(attributes));
        value_drop(value_thing(class));
        raise_memory(m);
        return NULL;
    }
    class->attributes = attributes;
    class->name = value_take((struct value){.kind = VALUE_STRING, .as.string = name});
    bool ok = make_tuple(m, bases, n, &made);
    class->bases = ok ? THING_AS(tuple, made) : NULL;
    if (!ok || !class_set_order(m, class)) {
        value_drop(value_thing(class));
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const struct class *base = THING_AS(class, bases[i]);
        class->is_error = class->is_error || base->is_error;
        class->base = class->base == NULL ? base->base : class->base;
    }
    return class;
}

struct class *class_new(struct machine *m, const char *name, struct class *const *bases, size_t n)
{
    struct value values[MAX_BASES];
    struct string *interned = intern(m, name, strlen(name));
    for (size_t i = 0; i < n; i++)
        values[i] = value_thing(bases[i]);
    return interned ? new_class(m, interned, values, n, table_new(&m->things, THING_DICT)) : NULL;
}

bool class_add_property(struct machine *m, struct class *class, const struct native *native)
{
    struct wrapper *wrapper = thing_new(&m->things, THING_WRAPPER, 0);
    struct builtin_function *function = thing_new(&m->things, THING_BUILTIN, 0);
    struct string *name = intern(m, native->name, strlen(native->name));
    if (wrapper == NULL || function == NULL || name == NULL) {
        value_drop(value_thing(wrapper));
        value_drop(value_thing(function));
        return raise_memory(m);
    }
    function->native = native;
    wrapper->kind = WRAPPER_PROPERTY;
    wrapper->get = value_thing(function);
    wrapper->set = value_absent();
    return table_put_name(class->attributes, name, value_thing(wrapper)) || raise_memory(m);
}

bool class_take_method(struct machine *m, const enum own_class *owners, size_t n,
                       struct value function, struct value *ret)
{
    if (!value_is(function, THING_CLOSURE))
        return raise_error(m, ERROR_TYPE, "_method() takes a function");
    struct string *name = THING_AS(closure, function)->name.as.string;
    *ret = value_take(function);
    name = intern(m, name->bytes, name->size);
    bool ok = name != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = table_put_name(m->classes[owners[i]]->attributes, name, value_take(function)) ||
             raise_memory(m);
    return ok;
}

bool class_add_natives(struct machine *m, struct class *class, const struct native *natives,
                       size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!add_native(m, class->attributes, &natives[i]))
            return false;
    return true;
}

/* Calls __set_name__ of each attribute that has it. */
static bool set_names(struct machine *m, struct class *class)
{
    for (size_t i = 0; i < class->attributes->n_entries; i++) {
        const struct entry *entry = &class->attributes->entries[i];
        if (!value_is(entry->value, THING_INSTANCE))
            continue;
        struct value v = value_take(entry->value), ignored;
        struct value args[2] = {value_thing(class), value_take(entry->key)};
        bool found;
        bool ok = machine_call_method(m, v, m->names[NAME_SET_NAME], args, 2, &ignored, &found);
        value_drop(v);
        value_drop(args[1]);
        if (!ok)
            return false;
        if (found)
            value_drop(ignored);
    }
    return true;
}

/* Calls __set_name__ of its attributes and __init_subclass__ of a base. */
bool class_build(struct machine *m, struct string *name, const struct value *bases, size_t n,
                 struct table *attributes, struct value *ret)
{
    struct value object = value_thing(m->classes[CLASS_OBJECT]);
    for (size_t i = 0; i < n; i++) {
        if (value_is(bases[i], THING_CLASS) && THING_AS(class, bases[i]) != m->classes[CLASS_BOOL])
            continue;
        value_drop(value_thing(attributes));
        return raise_error(m, ERROR_TYPE, "a base of a class must be a class, and this is %s",
                           value_class_name(m, bases[i]));
    }
    struct class *class = new_class(m, name, n > 0 ? bases : &object, n > 0 ? n : 1, attributes);
    if (class == NULL)
        return false;
    *ret = value_thing(class);
    struct value hook = value_absent();
    if (!set_names(m, class)) {
        value_drop(*ret);
        *ret = value_absent();
        return false;
    }
    class->has_slots = true;
    for (size_t i = 0; i < class->order->n; i++) {
        const struct class *at = THING_AS(class, class->order->items[i]);
        class->has_slots = class->has_slots &&
                           (at == m->classes[CLASS_OBJECT] ||
                            (!at->is_own && table_find_name(at->attributes, m->names[NAME_SLOTS])));
    }
    const struct value *found = NULL;
    for (size_t i = 1; found == NULL && i < class->order->n; i++) {
        const struct entry *entry = table_find_name(
            THING_AS(class, class->order->items[i])->attributes, m->names[NAME_INIT_SUBCLASS]);
        found = entry ? &entry->value : NULL;
    }
    if (found != NULL && value_is(*found, THING_CLOSURE)) {
        struct value ignored;
        hook = value_take(*found);
        bool ok = machine_call(m, hook, ret, 1, NULL, &ignored);
        value_drop(hook);
        if (!ok) {
            value_drop(*ret);
            return false;
        }
        value_drop(ignored);
    }
    return true;
}

/* ---- reading attributes ---- */

/* The method of that name of a class attribute that is an instance, which makes it a descriptor,
 * or NULL. */
static const struct value *descriptor_method(struct machine *m, struct value attribute,
                                             enum known_name name)
{
    return value_is(attribute, THING_INSTANCE)
               ? class_find(THING_AS(instance, attribute)->class, m->names[name])
               : NULL;
}

/* attribute.__get__(self, class) */
static bool descriptor_get(struct machine *m, struct value attribute, const struct value *get,
                           struct value self, struct class *class, struct value *ret)
{
    struct value args[3] = {attribute, self, value_thing(class)};
    return machine_call(m, *get, args, 3, NULL, ret);
}

/* What a class attribute is when it is asked for through self: functions are bound to it. */
static bool bind_attribute(struct machine *m, struct value attribute, struct value self,
                           struct class *class, bool through_class, struct value *ret)
{
    if (value_is(attribute, THING_CLOSURE) || value_is(attribute, THING_BUILTIN)) {
        if (through_class) {
            *ret = value_take(attribute);
            return true;
        }
        return make_bound(m, value_take(self), value_take(attribute), ret);
    }
    const struct value *get = descriptor_method(m, attribute, NAME_GET_OF);
    if (get != NULL)
        return descriptor_get(m, attribute, get, through_class ? value_none() : self, class, ret);
    if (!value_is(attribute, THING_WRAPPER)) {
        *ret = value_take(attribute);
        return true;
    }
    const struct wrapper *wrapper = THING_AS(wrapper, attribute);
    switch (wrapper->kind) {
    case WRAPPER_STATIC:
        *ret = value_take(wrapper->get);
        return true;
    case WRAPPER_CLASS:
        return make_bound(m, value_take(value_thing(class)), value_take(wrapper->get), ret);
    case WRAPPER_PROPERTY:
        if (!through_class)
            return machine_call(m, wrapper->get, &self, 1, NULL, ret);
        *ret = value_take(attribute);
        return true;
    }
    return false;
}

/* Attributes that all instances, classes and functions have. */
static bool special_attribute(struct machine *m, struct value object, const struct string *name,
                              struct value *ret)
{
    *ret = value_absent();
    if (name->bytes[0] != '_' || name->bytes[1] != '_')
        return true;
    if (name == m->names[NAME_CLASS]) {
        *ret = value_take(value_thing(class_of(m, object)));
    } else if (name == m->names[NAME_DOC] && value_is(object, THING_CLOSURE)) {
        *ret = value_take(THING_AS(closure, object)->doc);
    } else if (name == m->names[NAME_DOC]) {
        *ret = value_none();
    } else if (name == m->names[NAME_MODULE]) {
        return make_str(m, "__main__", 8, ret);
    } else if (name == m->names[NAME_NAME] || name == m->names[NAME_QUALNAME]) {
        if (value_is(object, THING_CLASS))
            *ret = value_take(THING_AS(class, object)->name);
        else if (value_is(object, THING_CLOSURE))
            *ret = value_take(THING_AS(closure, object)->name);
        else if (value_is(object, THING_MODULE))
            *ret = value_take(THING_AS(module, object)->name);
        else if (value_is(object, THING_BOUND))
            return special_attribute(m, THING_AS(bound, object)->function, name, ret);
        else if (value_is(object, THING_BUILTIN)) {
            const char *called = THING_AS(builtin_function, object)->native->name;
            return make_str(m, called, strlen(called), ret);
        }
    } else if (name == m->names[NAME_DICT] && value_is(object, THING_INSTANCE)) {
        struct instance *instance = THING_AS(instance, object);
        if (instance->attributes == NULL)
            instance->attributes = table_new(&m->things, THING_DICT);
        *ret = value_take(value_thing(instance->attributes));
    } else if (name == m->names[NAME_DICT] && value_is(object, THING_CLASS)) {
        *ret = value_take(value_thing(THING_AS(class, object)->attributes));
    } else if (name == m->names[NAME_BASES] && value_is(object, THING_CLASS)) {
        *ret = value_take(value_thing(THING_AS(class, object)->bases));
    } else if (name == m->names[NAME_MRO] && value_is(object, THING_CLASS)) {
        const struct array *order = THING_AS(class, object)->order;
        return make_tuple(m, order->items, order->n, ret);
    } else if (name == m->names[NAME_SELF] && value_is(object, THING_BOUND)) {
        *ret = value_take(THING_AS(bound, object)->self);
    } else if (name == m->names[NAME_FUNC] && value_is(object, THING_BOUND)) {
        *ret = value_take(THING_AS(bound, object)->function);
    } else if (name == m->names[NAME_DEFAULTS] && value_is(object, THING_CLOSURE)) {
        struct value defaults = THING_AS(closure, object)->defaults;
        *ret = defaults.kind == VALUE_ABSENT ? value_none() : value_take(defaults);
    }
    return true;
}

static bool from_class(struct machine *m, struct value object, struct string *name,
                       struct value *ret)
{
    struct class *class = THING_AS(class, object);
    const struct value *found = class_find(class, name);
    if (found != NULL)
        return bind_attribute(m, *found, object, class, true, ret);
    return special_attribute(m, object, name, ret);
}

static bool from_super(struct machine *m, const struct super *super, struct string *name,
                       struct value *ret)
{
    bool is_class = value_is(super->self, THING_CLASS);
    struct class *class = is_class ? THING_AS(class, super->self) : class_of(m, super->self);
    bool after = false;
    *ret = value_absent();
    for (size_t i = 0; i < class->order->n; i++) {
        struct class *at = THING_AS(class, class->order->items[i]);
        const struct entry *entry = after ? table_find_name(at->attributes, name) : NULL;
        after = after || at == super->after;
        if (entry != NULL)
            return bind_attribute(m, entry->value, super->self, class, false, ret);
    }
    return true;
}

static bool from_instance(struct machine *m, struct value object, struct string *name,
                          struct value *ret)
{
    struct instance *instance = THING_AS(instance, object);
    const struct value *found = class_find(instance->class, name);
    const struct entry *entry = NULL;
    bool is_data = found != NULL && (value_is(*found, THING_WRAPPER)
                                         ? THING_AS(wrapper, *found)->kind == WRAPPER_PROPERTY
                                         : descriptor_method(m, *found, NAME_SET_OF) != NULL &&
                                               descriptor_method(m, *found, NAME_GET_OF) != NULL);
    if (is_data)
        return bind_attribute(m, *found, object, instance->class, false, ret);
    if (instance->attributes != NULL)
        entry = table_find_name(instance->attributes, name);
    if (entry != NULL) {
        *ret = value_take(entry->value);
        return true;
    }
    if (found != NULL)
        return bind_attribute(m, *found, object, instance->class, false, ret);
    if (instance->class->is_error && name == m->names[NAME_ARGS]) {
        *ret = value_take(instance->payload);
        return true;
    }
    if (instance->class->is_error && name == m->names[NAME_VALUE] &&
        class_is(instance->class, m->errors[ERROR_STOP])) {
        const struct tuple *args = THING_AS(tuple, instance->payload);
        *ret = args->n > 0 ? value_take(args->items[0]) : value_none();
        return true;
    }
    if (!special_attribute(m, object, name, ret) || ret->kind != VALUE_ABSENT)
        return ret->kind != VALUE_ABSENT;
    found = class_find(instance->class, m->names[NAME_GETATTR]);
    if (found == NULL)
        return true;
    struct value args[2] = {object, {.kind = VALUE_STRING, .as.string = name}};
    return machine_call(m, *found, args, 2, NULL, ret);
}

/* values and indices of torch.max(), whose names stand in the tuple's form. */
static struct value tuple_field(const struct tuple *tuple, const struct string *name)
{
    for (size_t i = 0; tuple->form != NULL && i < tuple->n && tuple->form->fields[i] != NULL; i++)
        if (strcmp(tuple->form->fields[i], name->bytes) == 0)
            return value_take(tuple->items[i]);
    return value_absent();
}

static bool slice_attribute(const struct slice *slice, const struct string *name, struct value *ret)
{
    const struct value *part = strcmp(name->bytes, "start") == 0  ? &slice->start
                               : strcmp(name->bytes, "stop") == 0 ? &slice->stop
                               : strcmp(name->bytes, "step") == 0 ? &slice->step
                                                                  : NULL;
    if (part != NULL)
        *ret = value_take(*part);
    return true;
}

bool attribute_try(struct machine *m, struct value object, struct string *name, struct value *ret)
{
    *ret = value_absent();
    if (object.kind == VALUE_THING) {
        const struct entry *entry = NULL;
        switch (thing_id(object.as.thing)) {
        case THING_INSTANCE:
            return from_instance(m, object, name, ret);
        case THING_CLASS:
            return from_class(m, object, name, ret);
        case THING_SUPER:
            return from_super(m, THING_AS(super, object), name, ret);
        case THING_TUPLE:
            *ret = tuple_field(THING_AS(tuple, object), name);
            if (ret->kind != VALUE_ABSENT)
                return true;
            break;
        case THING_SLICE:
            return slice_attribute(THING_AS(slice, object), name, ret);
        case THING_MODULE:
            entry = table_find_name(THING_AS(module, object)->attributes, name);
            break;
        case THING_CLOSURE:
            if (THING_AS(closure, object)->attributes != NULL)
                entry = table_find_name(THING_AS(closure, object)->attributes, name);
            break;
        default:
            break;
        }
        if (entry != NULL) {
            *ret = value_take(entry->value);
            return true;
        }
    }
    struct class *class = class_of(m, object);
    const struct value *found = class_find(class, name);
    if (found != NULL)
        return bind_attribute(m, *found, object, class, false, ret);
    return special_attribute(m, object, name, ret);
}

static bool no_attribute(struct machine *m, struct value object, const struct string *name)
{
    if (value_is(object, THING_MODULE) && THING_AS(module, object)->is_missing)
        return raise_missing_module(m, THING_AS(module, object)->name.as.string->bytes);
    if (value_is(object, THING_MODULE))
        return raise_lack(m, ERROR_ATTRIBUTE, "module '%s' has no attribute '%s' in attn",
                          THING_AS(module, object)->name.as.string->bytes, name->bytes);
    if (value_is(object, THING_CLASS))
        return raise_error(m, ERROR_ATTRIBUTE, "type object '%s' has no attribute '%s'",
                           class_name(THING_AS(class, object)), name->bytes);
    return raise_error(m, ERROR_ATTRIBUTE, "'%s' object has no attribute '%s'",
                       value_is(object, THING_SUPER) ? "super" : value_class_name(m, object),
                       name->bytes);
}

bool attribute_get(struct machine *m, struct value object, struct string *name, struct value *ret)
{
    return attribute_try(m, object, name, ret) &&
           (ret->kind != VALUE_ABSENT || no_attribute(m, object, name));
}

bool attribute_method(struct machine *m, struct value object, struct string *name,
                      struct value *ret, struct value *ret_self)
{
    const struct value *found = NULL;
    bool may_be_own = object.kind != VALUE_THING;
    *ret_self = value_absent();
    if (object.kind == VALUE_THING)
        switch (thing_id(object.as.thing)) {
        case THING_INSTANCE: {
            const struct table *own = THING_AS(instance, object)->attributes;
            may_be_own = own == NULL || table_find_name(own, name) == NULL;
            break;
        }
        case THING_LIST:
        case THING_DICT:
        case THING_SET:
        case THING_TUPLE:
        case THING_FROZENSET:
        case THING_GENERATOR:
        case THING_TENSOR:
        case THING_NDARRAY:
            may_be_own = true;
            break;
        default:
            break;
        }
    if (may_be_own)
        found = class_find(class_of(m, object), name);
    if (found != NULL && (value_is(*found, THING_CLOSURE) || value_is(*found, THING_BUILTIN))) {
        *ret = value_take(*found);
        *ret_self = value_take(object);
        return true;
    }
    if (!attribute_get(m, object, name, ret))
        return false;
    return true;
}

/* ---- writing attributes ---- */

static bool is_name(struct value v, const struct string *name)
{
    return v.kind == VALUE_STRING && v.as.string->size == name->size &&
           memcmp(v.as.string->bytes, name->bytes, name->size) == 0;
}

static bool slots_have(struct machine *m, const struct class *class, const struct string *name)
{
    for (size_t i = 0; i < class->order->n; i++) {
        const struct class *at = THING_AS(class, class->order->items[i]);
        const struct entry *entry =
            at->is_own ? NULL : table_find_name(at->attributes, m->names[NAME_SLOTS]);
        if (entry == NULL)
            continue;
        bool is_list = value_is(entry->value, THING_LIST),
             is_tuple = value_is(entry->value, THING_TUPLE);
        if (is_name(entry->value, name) || (!is_list && !is_tuple))
            return true;
        const struct value *items =
            is_list ? THING_AS(array, entry->value)->items : THING_AS(tuple, entry->value)->items;
        size_t n = is_list ? THING_AS(array, entry->value)->n : THING_AS(tuple, entry->value)->n;
        for (size_t k = 0; k < n; k++)
            if (is_name(items[k], name))
                return true;
    }
    return false;
}

bool attribute_set(struct machine *m, struct value object, struct string *name, struct value v)
{
    struct table **attributes = NULL;
    if (value_is(object, THING_INSTANCE)) {
        struct instance *instance = THING_AS(instance, object);
        const struct value *found = class_find(instance->class, name);
        const struct value *hook = class_find(instance->class, m->names[NAME_SETATTR]);
        if (hook != NULL && value_is(*hook, THING_CLOSURE)) {
            struct value args[3] = {object, {.kind = VALUE_STRING, .as.string = name}, v}, ignored;
            bool ok = machine_call(m, *hook, args, 3, NULL, &ignored);
            value_drop(v);
            if (ok)
                value_drop(ignored);
            return ok;
        }
        if (found != NULL && value_is(*found, THING_WRAPPER) &&
            THING_AS(wrapper, *found)->kind == WRAPPER_PROPERTY) {
            struct value set = THING_AS(wrapper, *found)->set, args[2] = {object, v}, ignored;
            bool ok =
                set.kind != VALUE_ABSENT
                    ? machine_call(m, set, args, 2, NULL, &ignored)
                    : raise_error(m, ERROR_ATTRIBUTE, "property '%s' of '%s' object has no setter",
                                  name->bytes, class_name(instance->class));
            value_drop(v);
            if (ok)
                value_drop(ignored);
            return ok;
        }
        const struct value *set = found != NULL ? descriptor_method(m, *found, NAME_SET_OF) : NULL;
        if (set != NULL) {
            struct value args[3] = {*found, object, v}, ignored;
            bool ok = machine_call(m, *set, args, 3, NULL, &ignored);
            value_drop(v);
            if (ok)
                value_drop(ignored);
            return ok;
        }
        if (instance->class->has_slots && !slots_have(m, instance->class, name)) {
            value_drop(v);
            return raise_error(m, ERROR_ATTRIBUTE, "'%s' object has no attribute '%s'",
                               class_name(instance->class), name->bytes);
        }
        attributes = &instance->attributes;
    } else if (is_tensor(object)) {
        return tensor_attribute_set(m, object, name, v);
    } else if (value_is(object, THING_CLASS) && !THING_AS(class, object)->is_own) {
        attributes = &THING_AS(class, object)->attributes;
    } else if (value_is(object, THING_CLOSURE)) {
        attributes = &THING_AS(closure, object)->attributes;
    } else if (value_is(object, THING_MODULE)) {
        attributes = &THING_AS(module, object)->attributes;
    }
    if (attributes == NULL) {
        value_drop(v);
        if (value_is(object, THING_CLASS))
            return raise_error(m, ERROR_TYPE, "cannot set '%s' attribute of immutable type '%s'",
                               name->bytes, class_name(THING_AS(class, object)));
        return raise_error(m, ERROR_ATTRIBUTE, "'%s' object has no attribute '%s'",
                           value_class_name(m, object), name->bytes);
    }
    if (*attributes == NULL && (*attributes = table_new(&m->things, THING_DICT)) == NULL) {
        value_drop(v);
        return raise_memory(m);
    }
    return table_put_name(*attributes, name, v) || raise_memory(m);
}

bool attribute_delete(struct machine *m, struct value object, struct string *name)
{
    struct table *attributes =
        value_is(object, THING_INSTANCE)  ? THING_AS(instance, object)->attributes
        : value_is(object, THING_CLASS)   ? THING_AS(class, object)->attributes
        : value_is(object, THING_CLOSURE) ? THING_AS(closure, object)->attributes
                                          : NULL;
    struct entry *entry = attributes ? table_find_name(attributes, name) : NULL;
    const struct value *found = value_is(object, THING_INSTANCE)
                                    ? class_find(THING_AS(instance, object)->class, name)
                                    : NULL;
    const struct value *delete =
        found != NULL ? descriptor_method(m, *found, NAME_DELETE_OF) : NULL;
    if (delete != NULL) {
        struct value args[2] = {*found, object}, ignored;
        bool ok = machine_call(m, *delete, args, 2, NULL, &ignored);
        if (ok)
            value_drop(ignored);
        return ok;
    }
    if (entry == NULL)
        return no_attribute(m, object, name);
    table_delete(attributes, entry);
    return true;
}

/* ---- making instances ---- */

/* The list, dict, ... that an instance of such a class of cells holds. */
static bool make_payload(struct machine *m, struct instance *instance, const struct value *args,
                         size_t n, const struct tuple *names)
{
    struct class *own = NULL;
    for (size_t i = 0; own == NULL && i < instance->class->order->n; i++) {
        struct class *at = THING_AS(class, instance->class->order->items[i]);
        if (at->is_own && at != m->classes[CLASS_OBJECT] && !at->is_error)
            own = at;
    }
    if (own == NULL)
        return true;
    bool is_plain = own == m->classes[CLASS_LIST] || own == m->classes[CLASS_DICT] ||
                    own == m->classes[CLASS_SET] || own == m->classes[CLASS_NAMESPACE] ||
                    own == m->classes[CLASS_DEFAULTDICT] || own == m->classes[CLASS_COUNTER];
    bool has_init = class_find(instance->class, m->names[NAME_INIT]) != NULL &&
                    value_is(*class_find(instance->class, m->names[NAME_INIT]), THING_CLOSURE);
    size_t n_names = names ? names->n : 0;
    if (is_plain && has_init)
        n = n_names = 0;
    else if (!is_plain || has_init) {
        n -= n_names;
        n_names = 0;
    }
    return own_class_call(m, own, args, n, n_names > 0 ? names : NULL, &instance->payload);
}

bool class_make_instance(struct machine *m, struct class *class, const struct value *args, size_t n,
                         const struct tuple *names, struct value *ret)
{
    struct instance *instance = thing_new(&m->things, THING_INSTANCE, 0);
    if (instance == NULL)
        return raise_memory(m);
    *ret = value_thing(instance);
    instance->class = class;
    class->thing.n_owners++;
    if (class->is_error ? make_tuple(m, args, n - (names ? names->n : 0), &instance->payload)
                        : make_payload(m, instance, args, n, names))
        return true;
    value_drop(*ret);
    *ret = value_absent();
    return false;
}

bool class_call(struct machine *m, struct class *class, const struct value *args, size_t n,
                const struct tuple *names, struct value *ret)
{
    if (class->is_own && !class->is_error)
        return own_class_call(m, class, args, n, names, ret);
    const struct value *init = class_find(class, m->names[NAME_INIT]);
    const struct value *new = class_find(class, m->names[NAME_NEW]);
    bool has_init = init != NULL && value_is(*init, THING_CLOSURE), ok;
    struct value self, ignored;
    if (new != NULL && value_is(*new, THING_WRAPPER))
        new = &THING_AS(wrapper, *new)->get;
    bool has_new = new != NULL &&value_is(*new, THING_CLOSURE) && !class->is_error;
    if (has_new) {
        if (!machine_call_with(m, *new, value_thing(class), args, n, names, &self))
            return false;
        if (!value_isinstance(m, self, class)) {
            *ret = self;
            return true;
        }
    } else if (!class_make_instance(m, class, args, n, names, &self)) {
        return false;
    }
    ok = true;
    if (init != NULL && !class->is_error && !has_init && !has_new && n > 0 &&
        THING_AS(instance, self)->payload.kind == VALUE_ABSENT && value_is(*init, THING_BUILTIN))
        ok = raise_error(m, ERROR_TYPE, "%s() takes no arguments", class_name(class));
    if (ok && has_init) {
        ok = machine_call_with(m, *init, self, args, n, names, &ignored);
        if (ok)
            value_drop(ignored);
    }
    if (!ok) {
        value_drop(self);
        return false;
    }
    *ret = self;
    return true;
}

/* ---- beginning ---- */

static bool intern_names(struct machine *m)
{
    char name[24];
    for (size_t i = 0; i < NAME_COUNT; i++)
        if ((m->names[i] = intern(m, known_names[i], strlen(known_names[i]))) == NULL)
            return false;
    for (size_t i = 0; i < SIGN_COUNT; i++)
        for (size_t k = 0; sign_names[i] != NULL && k < 2; k++) {
            int size = snprintf(name, sizeof name, "__%s%s__", k ? "r" : "", sign_names[i]);
            if ((m->binary_names[i][k] = intern(m, name, (size_t)size)) == NULL)
                return false;
        }
    return true;
}

bool classes_init(struct machine *m)
{
    if (!intern_names(m))
        return false;
    for (size_t i = 0; i < CLASS_COUNT; i++) {
        struct class *base = m->classes[i == CLASS_BOOL                                ? CLASS_INT
                                        : i == CLASS_COUNTER || i == CLASS_DEFAULTDICT ? CLASS_DICT
                                        : i == CLASS_PARAMETER                  ? CLASS_TENSOR
                                        : i == CLASS_SIZE || i == CLASS_RESULTS ? CLASS_TUPLE
                                        : i >= CLASS_NP_FLOAT16                 ? CLASS_NP_FLOATING
                                        : i >= CLASS_NP_UINT8                   ? CLASS_NP_INTEGER
                                        : i > CLASS_NP_GENERIC                  ? CLASS_NP_GENERIC
                                                                                : CLASS_OBJECT];
        if (i == CLASS_BOOL)
            base = NULL; /* its base comes after it: see below */
        struct class *class = class_new(m, own_rows[i].name, base ? &base : NULL, base ? 1 : 0);
        if (class == NULL)
            return false;
        m->classes[i] = class;
        class->is_own = true;
        class->base = class;
        if (own_rows[i].methods != NULL &&
            !class_add_natives(m, class, own_rows[i].methods->rows, own_rows[i].methods->n))
            return false;
        struct string *name = intern(m, own_rows[i].name, strlen(own_rows[i].name));
        if (name == NULL || (own_rows[i].is_builtin &&
                             !table_put_name(m->builtins, name, value_take(value_thing(class)))))
            return false;
    }
    for (size_t i = CLASS_BOOL; i <= CLASS_FLOAT; i++)
        for (size_t k = 0; k < properties_of_numbers.n; k++)
            if (!class_add_property(m, m->classes[i], &properties_of_numbers.rows[k]))
                return false;
    for (size_t i = CLASS_TUPLE; i <= CLASS_SET; i++)
        if (!class_add_natives(m, m->classes[i], methods_of_collections.rows,
                               methods_of_collections.n))
            return false;
    struct class *boolean = m->classes[CLASS_BOOL];
    return array_add(m->classes[CLASS_NP_FLOAT64]->order,
                     value_take(value_thing(m->classes[CLASS_FLOAT]))) &&
           array_add(boolean->order, value_take(value_thing(m->classes[CLASS_INT]))) &&
           array_add(boolean->order, value_take(value_thing(m->classes[CLASS_OBJECT])));
}
