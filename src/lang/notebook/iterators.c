/* Going through values: for, comprehensions, zip, map, and all that takes an iterable. */
#include <stdlib.h>
#include <string.h>

#include "lang/notebook/ndarray_internal.h"

size_t range_count(const struct range *range)
{
    uint64_t span, step;
    if (range->step > 0 ? range->start >= range->stop : range->start <= range->stop)
        return 0;
    if (range->step > 0) {
        span = (uint64_t)range->stop - (uint64_t)range->start;
        step = (uint64_t)range->step;
    } else {
        span = (uint64_t)range->start - (uint64_t)range->stop;
        step = 0 - (uint64_t)range->step;
    }
    return (size_t)((span - 1) / step + 1);
}

bool iterator_new(struct machine *m, enum iterator_kind kind, struct value from, struct value also,
                  struct value *ret)
{
    struct iterator *iterator = thing_new(&m->things, THING_ITERATOR, 0);
    if (iterator == NULL) {
        value_drop(from);
        value_drop(also);
        return raise_memory(m);
    }
    iterator->kind = kind;
    iterator->from = from;
    iterator->also = also;
    *ret = value_thing(iterator);
    return true;
}

static bool iterate_range(struct machine *m, struct value v, struct value *ret)
{
    const struct range *range = THING_AS(range, v);
    size_t n = range_count(range);
    if (!iterator_new(m, ITERATE_RANGE, value_absent(), value_absent(), ret))
        return false;
    struct iterator *iterator = THING_AS(iterator, *ret);
    iterator->at = range->start;
    iterator->step = range->step;
    iterator->stop = (int64_t)n; /* how many are left */
    return true;
}

const struct value *class_members(struct machine *m, struct value v)
{
    struct string *name =
        value_is(v, THING_CLASS) && !THING_AS(class, v)->is_own ? intern(m, "_all_", 5) : NULL;
    return name ? class_find(THING_AS(class, v), name) : NULL;
}

bool value_iterate(struct machine *m, struct value v, struct value *ret)
{
    bool found = false;
    if (value_is(v, THING_INSTANCE)) {
        if (!machine_call_method(m, v, m->names[NAME_ITER], NULL, 0, ret, &found) || found)
            return found && m->raised.kind == VALUE_ABSENT;
        if (class_find(class_of(m, v), m->names[NAME_NEXT]) != NULL) {
            *ret = value_take(v);
            return true;
        }
        struct value payload = value_payload(v);
        if (!value_is(payload, THING_INSTANCE))
            return value_iterate(m, payload, ret);
        if (class_find(class_of(m, v), m->names[NAME_GETITEM]) != NULL)
            return iterator_new(m, ITERATE_INDEX, value_take(v), value_absent(), ret);
    }
    if (v.kind == VALUE_STRING)
        return iterator_new(m, ITERATE_STR, value_take(v), value_absent(), ret);
    if (class_members(m, v) != NULL)
        return value_iterate(m, *class_members(m, v), ret);
    if (v.kind == VALUE_THING)
        switch (thing_id(v.as.thing)) {
        case THING_LIST:
            return iterator_new(m, ITERATE_LIST, value_take(v), value_absent(), ret);
        case THING_TUPLE:
            return iterator_new(m, ITERATE_TUPLE, value_take(v), value_absent(), ret);
        case THING_DICT:
        case THING_SET:
        case THING_FROZENSET:
            if (!iterator_new(m, ITERATE_KEYS, value_take(v), value_absent(), ret))
                return false;
            THING_AS(iterator, *ret)->n_seen = THING_AS(table, v)->n;
            return true;
        case THING_VIEW: {
            const struct view *view = THING_AS(view, v);
            if (!iterator_new(m, view->kind, value_take(view->of), value_absent(), ret))
                return false;
            THING_AS(iterator, *ret)->n_seen = THING_AS(table, view->of)->n;
            return true;
        }
        case THING_RANGE:
            return iterate_range(m, v, ret);
        case THING_NDARRAY:
            if (as_ndarray(v)->n_axes == 0)
                return as_ndarray(v)->is_scalar
                           ? raise_error(m, ERROR_TYPE, "'%s' object is not iterable",
                                         value_class_name(m, v))
                           : raise_error(m, ERROR_TYPE, "iteration over a 0-d array");
            return iterator_new(m, ITERATE_INDEX, value_take(v), value_absent(), ret);
        case THING_TENSOR: {
            struct node *node = tensor_node(m, as_tensor(v));
            if (node == NULL)
                return false;
            if (node->value.n_axes == 0)
                return raise_error(m, ERROR_TYPE, "iteration over a 0-d tensor");
            return iterator_new(m, ITERATE_INDEX, value_take(v), value_absent(), ret);
        }
        case THING_ITERATOR:
        case THING_GENERATOR:
            *ret = value_take(v);
            return true;
        default:
            break;
        }
    return raise_error(m, ERROR_TYPE, "'%s' object is not iterable", value_class_name(m, v));
}

static bool next_entry(struct machine *m, struct iterator *it, struct value *ret)
{
    const struct table *table = THING_AS(table, it->from);
    if (table->n != it->n_seen)
        return raise_error(m, ERROR_RUNTIME, "%s changed size during iteration",
                           value_is(it->from, THING_DICT) ? "dictionary" : "Set");
    while ((size_t)it->at < table->n_entries && table->entries[it->at].key.kind == VALUE_ABSENT)
        it->at++;
    if ((size_t)it->at >= table->n_entries)
        return true;
    const struct entry *entry = &table->entries[it->at++];
    struct value pair[2] = {entry->key, entry->value};
    if (it->kind == ITERATE_ITEMS)
        return make_tuple(m, pair, 2, ret);
    *ret = value_take(it->kind == ITERATE_VALUES ? entry->value : entry->key);
    return true;
}

/* The next item of each iterator of a tuple; *ret is ABSENT where one has ended. */
static bool next_of_all(struct machine *m, const struct tuple *iterators, struct value *ret)
{
    struct tuple *items = tuple_new(&m->things, iterators->n);
    if (items == NULL)
        return raise_memory(m);
    for (size_t i = 0; i < iterators->n; i++) {
        bool ok = iterator_next(m, iterators->items[i], &items->items[i]);
        if (!ok || items->items[i].kind == VALUE_ABSENT) {
            value_drop(value_thing(items));
            return ok;
        }
    }
    if (iterators->n == 0)
        value_drop(value_thing(items));
    else
        *ret = value_thing(items);
    return true;
}

static bool next_kept(struct machine *m, struct iterator *it, struct value *ret)
{
    for (;;) {
        struct value item, answer;
        bool keeps;
        if (!iterator_next(m, it->from, &item) || item.kind == VALUE_ABSENT)
            return m->raised.kind == VALUE_ABSENT;
        if (it->also.kind == VALUE_NONE) {
            answer = value_take(item);
        } else if (!machine_call(m, it->also, &item, 1, NULL, &answer)) {
            value_drop(item);
            return false;
        }
        bool ok = value_truth(m, answer, &keeps);
        value_drop(answer);
        if (ok && keeps) {
            *ret = item;
            return true;
        }
        value_drop(item);
        if (!ok || !machine_tick(m))
            return false;
    }
}

static bool next_of_iterator(struct machine *m, struct iterator *it, struct value *ret)
{
    struct value v, pair[2];
    bool ok;
    switch (it->kind) {
    case ITERATE_LIST: {
        const struct array *array = THING_AS(array, it->from);
        if ((size_t)it->at < array->n)
            *ret = value_take(array->items[it->at++]);
        return true;
    }
    case ITERATE_TUPLE: {
        const struct tuple *tuple = THING_AS(tuple, it->from);
        if ((size_t)it->at < tuple->n)
            *ret = value_take(tuple->items[it->at++]);
        return true;
    }
    case ITERATE_RANGE:
        if (it->stop > 0) {
            *ret = value_int(it->at);
            it->at = (int64_t)((uint64_t)it->at + (uint64_t)it->step);
            it->stop--;
        }
        return true;
    case ITERATE_STR: {
        const struct string *s = it->from.as.string;
        size_t from = (size_t)it->at;
        if (from >= s->size)
            return true;
        size_t end = from + 1;
        while (end < s->size && ((unsigned char)s->bytes[end] & 0xC0) == 0x80)
            end++;
        it->at = (int64_t)end;
        return make_str(m, s->bytes + from, end - from, ret);
    }
    case ITERATE_KEYS:
    case ITERATE_VALUES:
    case ITERATE_ITEMS:
        return next_entry(m, it, ret);
    case ITERATE_ENUMERATE:
        if (!iterator_next(m, it->from, &v) || v.kind == VALUE_ABSENT)
            return m->raised.kind == VALUE_ABSENT;
        pair[0] = value_int(it->at++);
        pair[1] = v;
        ok = make_tuple(m, pair, 2, ret);
        value_drop(v);
        return ok;
    case ITERATE_ZIP:
        return next_of_all(m, THING_AS(tuple, it->from), ret);
    case ITERATE_MAP:
        v = value_absent();
        if (!next_of_all(m, THING_AS(tuple, it->from), &v) || v.kind == VALUE_ABSENT)
            return m->raised.kind == VALUE_ABSENT;
        ok = machine_call(m, it->also, THING_AS(tuple, v)->items, THING_AS(tuple, v)->n, NULL, ret);
        value_drop(v);
        return ok;
    case ITERATE_FILTER:
        return next_kept(m, it, ret);
    case ITERATE_REVERSED:
        if (it->at <= 0)
            return true;
        it->at--;
        return index_get(m, it->from, value_int(it->at), ret);
    case ITERATE_CALL: {
        if (!machine_call(m, it->from, NULL, 0, NULL, &v))
            return false;
        bool same;
        ok = value_equal(m, v, it->also, &same);
        if (!ok || same)
            value_drop(v);
        else
            *ret = v;
        return ok;
    }
    case ITERATE_INDEX:
        if (index_get(m, it->from, value_int(it->at++), ret))
            return true;
        if (!raised_is(m, ERROR_INDEX))
            return false;
        raised_clear(m);
        return true;
    case ITERATE_COUNT:
        *ret = value_int(it->at);
        it->at += it->step;
        return true;
    case ITERATE_CHAIN: {
        const struct tuple *parts = THING_AS(tuple, it->from);
        while ((size_t)it->at < parts->n) {
            if (!iterator_next(m, parts->items[it->at], ret))
                return false;
            if (ret->kind != VALUE_ABSENT)
                return true;
            it->at++;
        }
        return true;
    }
    case ITERATE_ISLICE:
        while (it->at > 0) { /* those before the start */
            it->at--;
            if (!iterator_next(m, it->from, &v))
                return false;
            value_drop(v);
        }
        if (it->stop == 0)
            return true;
        it->stop--;
        if (!iterator_next(m, it->from, ret))
            return false;
        it->at = it->step - 1;
        return true;
    case ITERATE_CYCLE: {
        const struct array *array = THING_AS(array, it->from);
        if (array->n > 0)
            *ret = value_take(array->items[it->at++ % (int64_t)array->n]);
        return true;
    }
    }
    return true;
}

bool iterator_next(struct machine *m, struct value iterator, struct value *ret)
{
    bool found = false;
    *ret = value_absent();
    if (value_is(iterator, THING_ITERATOR))
        return next_of_iterator(m, THING_AS(iterator, iterator), ret);
    if (value_is(iterator, THING_GENERATOR))
        return generator_resume(m, THING_AS(generator, iterator), value_none(), ret);
    if (!machine_call_method(m, iterator, m->names[NAME_NEXT], NULL, 0, ret, &found)) {
        if (!raised_is(m, ERROR_STOP))
            return false;
        raised_clear(m);
        *ret = value_absent();
        return true;
    }
    return found || raise_error(m, ERROR_TYPE, "'%s' object is not an iterator",
                                value_class_name(m, iterator));
}

bool value_to_array(struct machine *m, struct value v, struct array **ret)
{
    struct value iterator, item;
    struct array *array = array_new(&m->things, 0);
    if (array == NULL)
        return raise_memory(m);
    if (value_is(v, THING_LIST) || value_is(v, THING_TUPLE)) {
        bool is_tuple = value_is(v, THING_TUPLE), ok = true;
        size_t n = is_tuple ? THING_AS(tuple, v)->n : THING_AS(array, v)->n;
        const struct value *items =
            is_tuple ? THING_AS(tuple, v)->items : THING_AS(array, v)->items;
        for (size_t i = 0; ok && i < n; i++)
            ok = array_add(array, value_take(items[i]));
        *ret = array;
        return ok || raise_memory(m);
    }
    if (!value_iterate(m, v, &iterator)) {
        value_drop(value_thing(array));
        return false;
    }
    bool ok = true;
    while ((ok = iterator_next(m, iterator, &item)) && item.kind != VALUE_ABSENT) {
        if (array->n >= MACHINE_MAX_ITEMS) {
            value_drop(item);
            ok = raise_error(m, ERROR_MEMORY, "a list of more than 67 million items");
            break;
        }
        if (!array_add(array, item) || !machine_tick(m)) {
            ok = m->raised.kind != VALUE_ABSENT ? false : raise_memory(m);
            break;
        }
    }
    value_drop(iterator);
    if (!ok)
        value_drop(value_thing(array));
    *ret = array;
    return ok;
}
