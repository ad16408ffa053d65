/* The tables of operations, joined: see ops.h. */
#include "base/array.h"
#include "graph/ops_internal.h"

static const struct op_table *const tables[] = {
    &op_leaves,    &op_elementwise, &op_products, &op_reductions,
    &op_softmaxes, &op_moves,       &op_slices,   &op_takes,
};

const struct op *op_get(enum op_kind kind)
{
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (size_t row = 0; row < tables[i]->n; row++)
            if (tables[i]->rows[row].kind == kind)
                return &tables[i]->rows[row];
    return NULL;
}
