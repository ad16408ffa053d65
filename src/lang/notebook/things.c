/* See things_internal.h. */
#include "lang/notebook/things_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "lang/notebook/code_internal.h"
#include "lang/notebook/ndarray_internal.h"

/* ---- what a thing owns ---- */

static void visit_thing(void *thing, thing_visit *visit, void *context)
{
    struct value v = value_thing(thing);
    if (thing != NULL)
        visit(&v, context);
}

static void visit_all(struct value *items, size_t n, thing_visit *visit, void *context)
{
    for (size_t i = 0; i < n; i++)
        visit(&items[i], context);
}

static void visit_frame(struct frame *frame, thing_visit *visit, void *context)
{
    if (frame == NULL)
        return;
    visit_all(frame->slots, frame->sp, visit, context);
    visit(&frame->function, context);
}

/* Calls visit for each value that the thing owns a share of. */
static void thing_each(struct thing *thing, thing_visit *visit, void *context)
{
    struct value self = {.kind = VALUE_THING, .as.thing = thing};
    switch (thing_id(thing)) {
    case THING_TUPLE:
        visit_all(THING_AS(tuple, self)->items, THING_AS(tuple, self)->n, visit, context);
        break;
    case THING_LIST:
        visit_all(THING_AS(array, self)->items, THING_AS(array, self)->n, visit, context);
        break;
    case THING_DICT:
    case THING_SET:
    case THING_FROZENSET: {
        struct table *table = THING_AS(table, self);
        for (size_t i = 0; i < table->n_entries; i++) {
            visit(&table->entries[i].key, context);
            visit(&table->entries[i].value, context);
        }
        break;
    }
    case THING_SLICE:
        visit_all(&THING_AS(slice, self)->start, 3, visit, context);
        break;
    case THING_VARIABLE:
        visit(&THING_AS(variable, self)->value, context);
        break;
    case THING_CLOSURE: {
        struct closure *closure = THING_AS(closure, self);
        visit(&closure->name, context);
        visit(&closure->defaults, context);
        visit(&closure->named, context);
        visit(&closure->doc, context);
        visit_thing(closure->attributes, visit, context);
        for (size_t i = 0; i < closure->n_variables; i++)
            visit_thing(closure->variables[i], visit, context);
        break;
    }
    case THING_BOUND:
        visit(&THING_AS(bound, self)->self, context);
        visit(&THING_AS(bound, self)->function, context);
        break;
    case THING_WRAPPER:
        visit(&THING_AS(wrapper, self)->get, context);
        visit(&THING_AS(wrapper, self)->set, context);
        break;
    case THING_CLASS: {
        struct class *class = THING_AS(class, self);
        visit(&class->name, context);
        visit(&class->module, context);
        visit_thing(class->bases, visit, context);
        visit_thing(class->order, visit, context);
        visit_thing(class->attributes, visit, context);
        break;
    }
    case THING_INSTANCE: {
        struct instance *instance = THING_AS(instance, self);
        visit_thing(instance->class, visit, context);
        visit_thing(instance->attributes, visit, context);
        visit(&instance->payload, context);
        visit(&instance->trace, context);
        break;
    }
    case THING_SUPER:
        visit_thing(THING_AS(super, self)->after, visit, context);
        visit(&THING_AS(super, self)->self, context);
        break;
    case THING_ITERATOR:
        visit(&THING_AS(iterator, self)->from, context);
        visit(&THING_AS(iterator, self)->also, context);
        break;
    case THING_VIEW:
        visit(&THING_AS(view, self)->of, context);
        break;
    case THING_MODULE:
        visit(&THING_AS(module, self)->name, context);
        visit_thing(THING_AS(module, self)->attributes, visit, context);
        break;
    case THING_GENERATOR:
        visit_frame(THING_AS(generator, self)->frame, visit, context);
        visit(&THING_AS(generator, self)->result, context);
        break;
    case THING_TENSOR:
        visit(&THING_AS(tensor_thing, self)->grad, context);
        break;
    case THING_RANGE:
    case THING_BUILTIN:
    case THING_DTYPE:
    case THING_STREAM:
    case THING_NDARRAY:
    case THING_COUNT:
        break;
    }
}

/* Memory of its own that is not a value. */
static void thing_storage_free(struct thing *thing)
{
    struct value self = {.kind = VALUE_THING, .as.thing = thing};
    switch (thing_id(thing)) {
    case THING_LIST:
        free(THING_AS(array, self)->items);
        break;
    case THING_DICT:
    case THING_SET:
    case THING_FROZENSET:
        free(THING_AS(table, self)->entries);
        free(THING_AS(table, self)->places);
        break;
    case THING_GENERATOR:
        free(THING_AS(generator, self)->frame);
        break;
    case THING_TENSOR:
        tensor_let_go(THING_AS(tensor_thing, self));
        break;
    case THING_NDARRAY:
        ndarray_let_go(THING_AS(ndarray, self));
        break;
    default:
        break;
    }
    free(thing);
}

/* ---- freeing ---- */

static void unlink_thing(struct thing *thing)
{
    thing->before->after = thing->after;
    thing->after->before = thing->before;
}

/* Gives up one share; a thing that loses its last one waits in the list. */
static void let_go(struct value *value, void *context)
{
    struct thing **waiting = context;
    if (value->kind != VALUE_THING) {
        value_drop(*value);
        return;
    }
    struct thing *thing = value->as.thing;
    if (--thing->n_owners > 0)
        return;
    unlink_thing(thing);
    thing->after = *waiting;
    *waiting = thing;
}

static void thing_free(struct thing *thing)
{
    unlink_thing(thing);
    thing->after = NULL;
    for (struct thing *waiting = thing; waiting != NULL;) {
        struct thing *done = waiting;
        waiting = done->after;
        thing_each(done, let_go, &waiting);
        thing_storage_free(done);
    }
}

static void describe(const struct thing *thing, char *text, size_t capacity)
{
    const void *at = thing;
    const char *kind = thing->type->name;
    const struct value *name = NULL;
    switch (thing_id(thing)) {
    case THING_MODULE:
        name = &((const struct module *)at)->name;
        break;
    case THING_CLOSURE:
        name = &((const struct closure *)at)->name;
        break;
    case THING_CLASS:
        name = &((const struct class *)at)->name;
        kind = "class";
        break;
    case THING_INSTANCE:
        kind = class_name(((const struct instance *)at)->class);
        break;
    default:
        break;
    }
    if (name != NULL && name->kind == VALUE_STRING)
        snprintf(text, capacity, "the %s %.60s", kind, name->as.string->bytes);
    else
        snprintf(text, capacity, "%s %.60s", strchr("aeiouAEIOU", kind[0]) ? "an" : "a", kind);
}

#define TYPE(id_, name_, struct_) \
    [id_] = {{name_, thing_free, describe}, id_, sizeof(struct struct_)}
const struct type thing_types[THING_COUNT] = {
    TYPE(THING_TUPLE, "tuple", tuple),
    TYPE(THING_LIST, "list", array),
    TYPE(THING_DICT, "dict", table),
    TYPE(THING_SET, "set", table),
    TYPE(THING_FROZENSET, "frozenset", table),
    TYPE(THING_RANGE, "range", range),
    TYPE(THING_SLICE, "slice", slice),
    TYPE(THING_VARIABLE, "cell", variable),
    TYPE(THING_CLOSURE, "function", closure),
    TYPE(THING_BUILTIN, "builtin_function_or_method", builtin_function),
    TYPE(THING_BOUND, "method", bound),
    TYPE(THING_WRAPPER, "property", wrapper),
    TYPE(THING_CLASS, "type", class),
    TYPE(THING_INSTANCE, "object", instance),
    TYPE(THING_SUPER, "super", super),
    TYPE(THING_ITERATOR, "iterator", iterator),
    TYPE(THING_VIEW, "dict_view", view),
    TYPE(THING_MODULE, "module", module),
    TYPE(THING_GENERATOR, "generator", generator),
    TYPE(THING_TENSOR, "Tensor", tensor_thing),
    TYPE(THING_DTYPE, "dtype", dtype_thing),
    TYPE(THING_STREAM, "Generator", stream_thing),
    TYPE(THING_NDARRAY, "ndarray", ndarray),
};

/* ---- rings ---- */

/* As CPython does it: count the shares that things have in each other; what has others too is
 * reached from outside, and so is all that it names. The rest is a ring of garbage. */
static void uncount(struct value *value, void *context)
{
    (void)context;
    if (value->kind == VALUE_THING)
        value->as.thing->marks--;
}

enum { MARK_REACHED = -1 };

static void reach(struct value *value, void *context)
{
    struct thing ***next = context;
    if (value->kind != VALUE_THING || value->as.thing->marks == MARK_REACHED)
        return;
    value->as.thing->marks = MARK_REACHED;
    *(*next)++ = value->as.thing;
}

static void forget_shares(struct value *value, void *context)
{
    (void)context;
    if (value->kind == VALUE_THING)
        value->as.thing->n_owners--;
    else
        value_drop(*value);
}

void things_collect(struct things *things)
{
    struct thing *end = &things->ring;
    size_t n = 0;
    for (struct thing *t = end->after; t != end; t = t->after, n++)
        t->marks = (ptrdiff_t)t->n_owners;
    struct thing **stack = malloc((n + 1) * sizeof *stack), **top = stack;
    things->next_collect = 2 * n + 20000;
    if (stack == NULL)
        return;
    for (struct thing *t = end->after; t != end; t = t->after)
        thing_each(t, uncount, NULL);
    for (struct thing *t = end->after; t != end; t = t->after)
        if (t->marks > 0) {
            t->marks = MARK_REACHED;
            *top++ = t;
            while (top > stack)
                thing_each(*--top, reach, &top);
        }
    free(stack);
    struct thing *garbage = NULL;
    size_t n_left = 0;
    for (struct thing *t = end->after, *after; t != end; t = after) {
        after = t->after;
        n_left += t->marks == MARK_REACHED;
        if (t->marks == MARK_REACHED)
            continue;
        unlink_thing(t);
        t->after = garbage;
        garbage = t;
    }
    /* Shares in what stays are given up first, while all garbage is still there. */
    for (struct thing *t = garbage; t != NULL; t = t->after)
        thing_each(t, forget_shares, NULL);
    for (struct thing *t = garbage, *after; t != NULL; t = after) {
        after = t->after;
        thing_storage_free(t);
    }
    things->n = 0; /* counted from here on */
    things->next_collect = 2 * n_left + 20000;
}

void things_init(struct things *things)
{
    things->ring = (struct thing){0};
    things->ring.before = things->ring.after = &things->ring;
    things->n = 0;
    things->next_collect = 20000;
}

void things_release(struct things *things)
{
    for (struct thing *t = things->ring.after; t != &things->ring; t = t->after)
        thing_each(t, forget_shares, NULL);
    for (struct thing *t = things->ring.after, *after; t != &things->ring; t = after) {
        after = t->after;
        thing_storage_free(t);
    }
    things_init(things);
}

/* ---- making ---- */

void *thing_new(struct things *things, enum thing_id id, size_t extra)
{
    struct thing *thing = calloc(1, thing_types[id].size + extra);
    if (thing == NULL)
        return NULL;
    thing->n_owners = 1;
    thing->type = &thing_types[id].head;
    thing->before = &things->ring;
    thing->after = things->ring.after;
    things->ring.after->before = thing;
    things->ring.after = thing;
    things->n++;
    return thing;
}

struct tuple *tuple_new(struct things *things, size_t n)
{
    if (n > (SIZE_MAX >> 6))
        return NULL;
    struct tuple *tuple = thing_new(things, THING_TUPLE, n * sizeof(struct value));
    if (tuple != NULL)
        tuple->n = n;
    return tuple;
}

struct array *array_new(struct things *things, size_t capacity)
{
    struct array *array = thing_new(things, THING_LIST, 0);
    if (array == NULL || capacity == 0)
        return array;
    array->items = malloc(capacity * sizeof *array->items);
    if (array->items == NULL) {
        value_drop(value_thing(array));
        return NULL;
    }
    array->capacity = capacity;
    return array;
}

bool array_add(struct array *array, struct value v)
{
    struct value *items =
        array_grow(array->items, array->n, &array->capacity, sizeof *array->items);
    if (items == NULL) {
        value_drop(v);
        return false;
    }
    array->items = items;
    items[array->n++] = v;
    return true;
}

struct table *table_new(struct things *things, enum thing_id id)
{
    return thing_new(things, id, 0);
}

/* ---- tables ---- */

enum { PLACE_FREE = -1, TABLE_FIRST = 8 };

uint64_t string_hash(struct string *string)
{
    if (string->hash == 0) {
        string->hash = text_hash(string->bytes, string->size);
        string->hash += string->hash == 0;
    }
    return string->hash;
}

static size_t place_of(uint64_t hash, size_t mask)
{
    return (size_t)(hash ^ hash >> 29) & mask;
}

/* Room for one entry more: entries that were deleted are left out. */
static bool table_grow(struct table *table)
{
    if (table->n_entries < table->capacity)
        return true;
    size_t capacity = TABLE_FIRST;
    while (capacity <= table->n + table->n / 2)
        capacity *= 2;
    if (capacity > INT32_MAX / 4)
        return false;
    struct entry *entries = malloc(capacity * sizeof *entries);
    int32_t *places = malloc(2 * capacity * sizeof *places);
    if (entries == NULL || places == NULL) {
        free(entries);
        free(places);
        return false;
    }
    size_t mask = 2 * capacity - 1, n = 0;
    for (size_t i = 0; i <= mask; i++)
        places[i] = PLACE_FREE;
    for (size_t i = 0; i < table->n_entries; i++) {
        if (table->entries[i].key.kind == VALUE_ABSENT)
            continue;
        size_t place = place_of(table->entries[i].hash, mask);
        while (places[place] != PLACE_FREE)
            place = (place + 1) & mask;
        places[place] = (int32_t)n;
        entries[n++] = table->entries[i];
    }
    free(table->entries);
    free(table->places);
    table->entries = entries;
    table->places = places;
    table->capacity = capacity;
    table->n_entries = n;
    return true;
}

struct entry *table_find(const struct table *table, uint64_t hash, table_same *same, void *context)
{
    if (table->capacity == 0)
        return NULL;
    size_t mask = 2 * table->capacity - 1;
    for (size_t place = place_of(hash, mask); table->places[place] != PLACE_FREE;
         place = (place + 1) & mask) {
        struct entry *entry = &table->entries[table->places[place]];
        if (entry->key.kind != VALUE_ABSENT && entry->hash == hash && same(context, &entry->key))
            return entry;
    }
    return NULL;
}

bool table_add(struct table *table, uint64_t hash, struct value key, struct value value)
{
    if (!table_grow(table)) {
        value_drop(key);
        value_drop(value);
        return false;
    }
    size_t mask = 2 * table->capacity - 1, place = place_of(hash, mask);
    while (table->places[place] != PLACE_FREE)
        place = (place + 1) & mask;
    table->places[place] = (int32_t)table->n_entries;
    table->entries[table->n_entries++] = (struct entry){hash, key, value};
    table->n++;
    return true;
}

/* The place stays taken, by an entry without a key, until the table grows. */
void table_delete(struct table *table, struct entry *entry)
{
    struct value key = entry->key, value = entry->value;
    entry->key = entry->value = value_absent();
    table->n--;
    value_drop(key);
    value_drop(value);
}

void table_clear(struct table *table)
{
    struct entry *entries = table->entries;
    size_t n = table->n_entries;
    free(table->places);
    table->entries = NULL;
    table->places = NULL;
    table->n = table->n_entries = table->capacity = 0;
    for (size_t i = 0; i < n; i++) {
        value_drop(entries[i].key);
        value_drop(entries[i].value);
    }
    free(entries);
}

struct entry *table_find_name(const struct table *table, const struct string *name)
{
    if (table->capacity == 0)
        return NULL;
    size_t mask = 2 * table->capacity - 1;
    for (size_t place = place_of(name->hash, mask); table->places[place] != PLACE_FREE;
         place = (place + 1) & mask) {
        struct entry *entry = &table->entries[table->places[place]];
        if (entry->key.kind != VALUE_STRING || entry->hash != name->hash)
            continue;
        const struct string *key = entry->key.as.string;
        if (key == name ||
            (key->size == name->size && memcmp(key->bytes, name->bytes, key->size) == 0))
            return entry;
    }
    return NULL;
}

bool table_put_name(struct table *table, struct string *name, struct value value)
{
    struct entry *entry = table_find_name(table, name);
    if (entry != NULL) {
        value_put(&entry->value, value);
        return true;
    }
    name->n_owners++;
    return table_add(table, name->hash, (struct value){.kind = VALUE_STRING, .as.string = name},
                     value);
}
