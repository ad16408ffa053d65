/* See whatif.h. Walks the nodes in rising order of ids and rebuilds those made from `from`; the
 * rebuilt node is kept as `other` in the set. */
#include "graph/whatif.h"

#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "graph/node_set.h"
#include "graph/ops.h"

static bool rebuild(struct graph *graph, struct node_set *set, struct node_entry *entry,
                    struct error *reterr)
{
    const struct node *node = entry->node;
    struct node **parents = malloc((node->n_parents + 1) * sizeof(*parents));
    if (parents == NULL)
        return error_memory(reterr, "whatif");
    for (unsigned p = 0; p < node->n_parents; p++) {
        struct node *other = node_set_find(set, node->parents[p])->other;
        parents[p] = other ? other : node->parents[p];
    }
    entry->other = node_rebuild(graph, node, parents, reterr);
    free(parents);
    return entry->other != NULL;
}

bool whatif_recompute(struct graph *graph, struct node *const *roots, size_t n_roots,
                      struct node *from, struct node *to, struct node **ret, struct error *reterr)
{
    struct node_set set;
    if (!node_set_init(&set, roots, n_roots, reterr))
        return false;
    node_set_mark_dependents(&set, &from, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < set.n_entries; i++) {
        struct node_entry *entry = &set.entries[i];
        if (entry->node == from)
            entry->other = node_share(to);
        else if (entry->marked)
            ok = rebuild(graph, &set, entry, reterr);
    }
    for (size_t i = 0; ok && i < n_roots; i++) {
        struct node *other = node_set_find(&set, roots[i])->other;
        ret[i] = node_share(other ? other : roots[i]);
    }
    node_set_release(&set);
    return ok;
}

struct node *whatif_edit(struct graph *graph, struct node *node, size_t position, float number,
                         struct error *reterr)
{
    ptrdiff_t at = (ptrdiff_t)position;
    struct op_args args = {.number = (double)number, .n_ints = 1, .ints = &at};
    struct node *made = node_new(graph, op_get(OP_EDIT), 1, &node, &args, reterr);
    if (made == NULL || node->name == NULL)
        return made;
    if (!node_set_name(made, node->name, strlen(node->name), reterr)) {
        node_free(made);
        return NULL;
    }
    return made;
}
