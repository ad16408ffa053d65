/* A line at a prompt works whole or changes nothing: what all things of a notebook held before it.
 * See snapshot_internal.h. */
#include "lang/notebook/snapshot_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/notebook/ndarray_internal.h"

/* What one thing held. Its values are shares. */
struct saved {
    struct thing *thing; /* a share */
    size_t n;
    struct value *values;        /* of a list, or of a variable */
    struct table *table;         /* of a dict or set: its entries and places */
    struct table *attributes;    /* of an object: a share, or NULL */
    struct tensor_state *tensor; /* of a tensor */
    union nd_cell *cells;        /* of an array of numpy, unless it is large */
};

enum { CELLS_MOST = 1 << 20 }; /* of an array whose numbers are kept */

static void release(struct saved *saved)
{
    for (size_t i = 0; i < saved->n; i++)
        value_drop(saved->values[i]);
    if (saved->attributes != NULL)
        value_drop(value_thing(saved->attributes));
    if (saved->tensor != NULL)
        tensor_state_free(saved->tensor);
    for (size_t i = 0; saved->table != NULL && i < saved->table->n_entries; i++) {
        value_drop(saved->table->entries[i].key);
        value_drop(saved->table->entries[i].value);
    }
    if (saved->table != NULL) {
        free(saved->table->entries);
        free(saved->table->places);
        free(saved->table);
    }
    free(saved->values);
    free(saved->cells);
    value_drop(value_thing(saved->thing));
}

void snapshot_release(struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->n; i++)
        release(&snapshot->things[i]);
    free(snapshot->things);
    *snapshot = (struct snapshot){0};
}

/* ---- taking ---- */

static bool save_values(struct saved *saved, const struct value *values, size_t n)
{
    saved->values = malloc((n + 1) * sizeof *saved->values);
    if (saved->values == NULL)
        return false;
    for (; saved->n < n; saved->n++)
        saved->values[saved->n] = value_take(values[saved->n]);
    return true;
}

static bool save_table(struct saved *saved, const struct table *table)
{
    struct table *copy = saved->table = calloc(1, sizeof *copy);
    size_t n = table->n_entries, n_places = 2 * table->capacity;
    if (copy == NULL)
        return false;
    copy->capacity = table->capacity;
    copy->entries = malloc((table->capacity + 1) * sizeof *copy->entries);
    copy->places = malloc((n_places + 1) * sizeof *copy->places);
    if (copy->entries == NULL || copy->places == NULL)
        return false;
    if (n_places > 0)
        memcpy(copy->places, table->places, n_places * sizeof *copy->places);
    copy->n = table->n;
    for (; copy->n_entries < n; copy->n_entries++) {
        struct entry *entry = &copy->entries[copy->n_entries];
        *entry = table->entries[copy->n_entries];
        (void)value_take(entry->key);
        (void)value_take(entry->value);
    }
    return true;
}

/* False without memory; *ret_keeps: the thing can change, so that it is worth keeping. */
static bool save(struct thing *thing, struct saved *ret, bool *ret_keeps)
{
    void *at = thing;
    *ret = (struct saved){.thing = thing};
    *ret_keeps = true;
    switch (thing_id(thing)) {
    case THING_LIST:
        return save_values(ret, ((struct array *)at)->items, ((struct array *)at)->n);
    case THING_DICT:
    case THING_SET:
        return save_table(ret, at);
    case THING_VARIABLE:
        return save_values(ret, &((struct variable *)at)->value, 1);
    case THING_INSTANCE:
        ret->attributes = ((struct instance *)at)->attributes;
        if (ret->attributes != NULL)
            ret->attributes->thing.n_owners++;
        return true;
    case THING_TENSOR:
        return (ret->tensor = tensor_state_of(at)) != NULL;
    case THING_NDARRAY: {
        const struct nd_cells *cells = ((struct ndarray *)at)->cells;
        if (cells->n > CELLS_MOST ||
            (ret->cells = malloc((cells->n + 1) * sizeof *ret->cells)) == NULL)
            return cells->n > CELLS_MOST;
        memcpy(ret->cells, cells->items, cells->n * sizeof *ret->cells);
        return true;
    }
    default:
        *ret_keeps = false;
        return true;
    }
}

/* Tables that only grow, whatever becomes of a line: code that was compiled points into them. */
static bool is_machines_own(const struct machine *m, const void *thing)
{
    return thing == m->interned || thing == m->builtins || thing == m->modules ||
           thing == m->global_places || thing == m->lacking;
}

bool snapshot_take(struct machine *m, struct snapshot *ret)
{
    const struct thing *ring = &m->things.ring;
    *ret = (struct snapshot){0};
    ret->things = malloc((m->things.n + 1) * sizeof *ret->things);
    if (ret->things == NULL)
        return raise_memory(m);
    for (struct thing *at = ring->after; at != ring; at = at->after) {
        struct saved saved;
        if (is_machines_own(m, at))
            continue;
        bool keeps, ok = save(at, &saved, &keeps);
        if (ok && !keeps)
            continue;
        at->n_owners++;
        ret->things[ret->n++] = saved;
        if (!ok) {
            snapshot_release(ret);
            return raise_memory(m);
        }
    }
    return true;
}

/* ---- giving back ---- */

static void restore_table(struct table *table, struct table *saved)
{
    struct table now = *table;
    table->n = saved->n;
    table->n_entries = saved->n_entries;
    table->capacity = saved->capacity;
    table->entries = saved->entries;
    table->places = saved->places;
    *saved = now;
}

static void restore_array(struct array *array, struct saved *saved)
{
    struct value *before = array->items;
    size_t n_before = array->n;
    array->items = saved->values;
    array->n = saved->n;
    array->capacity = saved->n + 1;
    saved->values = before;
    saved->n = n_before;
}

static void restore(struct saved *saved)
{
    void *at = saved->thing;
    switch (thing_id(saved->thing)) {
    case THING_LIST:
        restore_array(at, saved);
        break;
    case THING_DICT:
    case THING_SET:
        restore_table(at, saved->table);
        break;
    case THING_VARIABLE:
        value_put(&((struct variable *)at)->value, value_take(saved->values[0]));
        break;
    case THING_INSTANCE: {
        struct instance *instance = at;
        struct table *now = instance->attributes;
        instance->attributes = saved->attributes;
        saved->attributes = now;
        break;
    }
    case THING_TENSOR:
        tensor_state_give_back(saved->tensor, at);
        break;
    case THING_NDARRAY: {
        struct nd_cells *cells = ((struct ndarray *)at)->cells;
        if (saved->cells != NULL)
            memcpy(cells->items, saved->cells, cells->n * sizeof *saved->cells);
        break;
    }
    default:
        break;
    }
}

void snapshot_give_back(struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->n; i++)
        restore(&snapshot->things[i]);
}
