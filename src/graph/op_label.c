/* How the names along axes pass through operations of any family. */
#include "graph/ops_internal.h"

void label_axis(struct node *node, unsigned to, const struct node *parent, unsigned from)
{
    if (node->labels[to] == NULL && parent->value.shape[from] == node->value.shape[to])
        node_set_labels(node, to, parent->labels[from]);
}

RELABEL(relabel_first)
{
    (void)reterr;
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        label_axis(node, axis, node->parents[0], axis);
    return true;
}

RELABEL(relabel_broadcast)
{
    (void)reterr;
    unsigned n_axes = node->value.n_axes;
    for (unsigned p = 0; p < node->n_parents; p++) {
        const struct node *parent = node->parents[p];
        unsigned missing = n_axes - parent->value.n_axes;
        for (unsigned axis = 0; axis < parent->value.n_axes; axis++)
            label_axis(node, axis + missing, parent, axis);
    }
    return true;
}
