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

struct node *compose_split_heads(struct builder *b, struct node *x, size_t n_heads)
{
    if (x == NULL)
        return NULL;
    unsigned n = x->value.n_axes;
    size_t width = n >= 2 ? x->value.shape[n - 1] : 0, shape[TENSOR_MAX_AXES + 1];
    if (n < 2 || n == TENSOR_MAX_AXES || n_heads == 0 || width % n_heads != 0) {
        char text[TENSOR_SHAPE_TEXT];
        error_set(b->reterr, ERR_SHAPE,
                  "heads: %s can't be split into %zu heads; the last size must be a multiple",
                  tensor_shape_text(&x->value, text), n_heads);
        b->failed = true;
        return NULL;
    }
    memcpy(shape, x->value.shape, (n - 1) * sizeof *shape);
    shape[n - 1] = n_heads;
    shape[n] = width / n_heads;
    return build_transpose(b, build_reshape(b, x, n + 1, shape), n - 2, n - 1);
}

struct node *compose_merge_heads(struct builder *b, struct node *x)
{
    if (x == NULL)
        return NULL;
    unsigned n = x->value.n_axes;
    if (n < 3) {
        char text[TENSOR_SHAPE_TEXT];
        error_set(b->reterr, ERR_SHAPE,
                  "heads: a tensor (..., n_heads, n, head_dim) is needed, and this is %s",
                  tensor_shape_text(&x->value, text));
        b->failed = true;
        return NULL;
    }
    struct node *moved = build_transpose(b, x, n - 3, n - 2);
    if (moved == NULL)
        return NULL;
    size_t shape[TENSOR_MAX_AXES];
    memcpy(shape, moved->value.shape, (n - 2) * sizeof *shape);
    shape[n - 2] = moved->value.shape[n - 2] * moved->value.shape[n - 1];
    return build_reshape(b, moved, n - 1, shape);
}
