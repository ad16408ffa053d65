/* The tables of operations, joined: see ops.h. */
#include "graph/ops_internal.h"

/* In the order of enum op_kind. */
static const struct op_table *const tables[] = {
    &op_leaves, &op_elementwise, &op_products,   &op_reductions, &op_softmaxes,
    &op_losses, &op_activations, &op_norms,      &op_moves,      &op_slices,
    &op_takes,  &op_picks,       &op_attentions,
};

const struct op *op_get(enum op_kind kind)
{
    size_t i = 0;
    while (kind > tables[i]->last)
        i++;
    return &tables[i]->rows[kind - tables[i]->first];
}
