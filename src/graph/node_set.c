/* See node_set.h. */
#include "graph/node_set.h"

#include <stdlib.h>

#include "base/array.h"
#include "graph/node.h"

/* A hash table of node pointers, used while collecting. */
struct seen {
    struct node **slots;
    size_t n_slots; /* a power of 2 */
};

static size_t slot_of(const struct seen *seen, const struct node *node)
{
    uint64_t hash = node->id * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = (size_t)(hash >> 32) & (seen->n_slots - 1);
    while (seen->slots[slot] != NULL && seen->slots[slot] != node)
        slot = (slot + 1) & (seen->n_slots - 1);
    return slot;
}

static bool seen_grow(struct seen *seen, const struct node_set *set)
{
    if (seen->n_slots > 2 * (set->n_entries + 1))
        return true;
    size_t n_slots = seen->n_slots ? seen->n_slots * 4 : 64;
    struct seen wider = {calloc(n_slots, sizeof(struct node *)), n_slots};
    if (wider.slots == NULL)
        return false;
    for (size_t i = 0; i < set->n_entries; i++)
        wider.slots[slot_of(&wider, set->entries[i].node)] = set->entries[i].node;
    free(seen->slots);
    *seen = wider;
    return true;
}

static bool add(struct node_set *set, struct seen *seen, struct node *node)
{
    if (!seen_grow(seen, set))
        return false;
    size_t slot = slot_of(seen, node);
    if (seen->slots[slot] == node)
        return true;
    if (set->n_entries >= NODE_SET_MAX)
        return false;
    struct node_entry *entries =
        array_grow(set->entries, set->n_entries, &set->capacity, sizeof *entries);
    if (entries == NULL)
        return false;
    seen->slots[slot] = node;
    set->entries = entries;
    entries[set->n_entries++] = (struct node_entry){.node = node};
    return true;
}

static int by_id(const void *a, const void *b)
{
    uint64_t left = ((const struct node_entry *)a)->node->id;
    uint64_t right = ((const struct node_entry *)b)->node->id;
    return (left > right) - (left < right);
}

/* Entries added so far serve as the queue of nodes whose parents are still to be added. */
static bool collect(struct node_set *set, struct seen *seen, struct node *const *roots,
                    size_t n_roots)
{
    for (size_t i = 0; i < n_roots; i++)
        if (!add(set, seen, roots[i]))
            return false;
    for (size_t i = 0; i < set->n_entries; i++) {
        const struct node *node = set->entries[i].node;
        for (unsigned p = 0; p < node->n_parents; p++)
            if (!add(set, seen, node->parents[p]))
                return false;
    }
    return true;
}

bool node_set_init(struct node_set *set, struct node *const *roots, size_t n_roots,
                   struct error *reterr)
{
    struct seen seen = {0};
    *set = (struct node_set){0};
    bool ok = collect(set, &seen, roots, n_roots);
    free(seen.slots);
    if (ok && set->n_entries > 0)
        qsort(set->entries, set->n_entries, sizeof *set->entries, by_id);
    if (ok)
        return true;
    if (set->n_entries < NODE_SET_MAX)
        error_memory(reterr, "walking the graph");
    else
        error_set(reterr, ERR_LIMIT,
                  "this was computed in more than %d steps, too many to walk through; cut its "
                  "history with detach(...)",
                  NODE_SET_MAX);
    node_set_release(set);
    return false;
}

void node_set_release(struct node_set *set)
{
    for (size_t i = 0; i < set->n_entries; i++)
        node_free(set->entries[i].other);
    free(set->entries);
    *set = (struct node_set){0};
}

struct node_entry *node_set_find(const struct node_set *set, const struct node *node)
{
    size_t low = 0, high = set->n_entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->entries[middle].node->id < node->id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < set->n_entries && set->entries[low].node == node;
    return found ? &set->entries[low] : NULL;
}

void node_set_mark_dependents(struct node_set *set, struct node *const *nodes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct node_entry *entry = node_set_find(set, nodes[i]);
        if (entry != NULL)
            entry->marked = true;
    }
    for (size_t i = 0; i < set->n_entries; i++) {
        struct node_entry *entry = &set->entries[i];
        for (unsigned p = 0; p < entry->node->n_parents && !entry->marked; p++)
            entry->marked = node_set_find(set, entry->node->parents[p])->marked;
    }
}
