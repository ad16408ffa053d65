/* See compose.h. */
#include "lang/value/compose.h"

#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "tensor/tensor.h"

struct node *compose_row(struct builder *b, struct node *x, size_t i)
{
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        cuts[3 * axis] = axis == 0 ? (ptrdiff_t)i : 0;
        cuts[3 * axis + 1] = axis == 0 ? -1 : (ptrdiff_t)x->value.shape[axis];
        cuts[3 * axis + 2] = 1;
    }
    return build_ints(b, OP_SLICE, x, 3 * (size_t)x->value.n_axes, cuts, 0);
}

struct node *compose_same(struct builder *b, struct node *x)
{
    return build_reshape(b, x, x->value.n_axes, x->value.shape);
}
