/* See compose.h. */
#include "lang/value/compose.h"

#include <string.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "tensor/tensor.h"

static struct node *half_times(struct builder *b, struct node *x, struct node *factor)
{
    struct node *one_more = build2(b, OP_ADD, build_number(b, 1), factor);
    return build2(b, OP_MUL, build2(b, OP_MUL, build_number(b, 0.5), x), one_more);
}

struct node *compose_gelu(struct builder *b, struct node *x)
{
    struct node *scaled = build2(b, OP_DIV, x, build1(b, OP_SQRT, build_number(b, 2)));
    return half_times(b, x, build1(b, OP_ERF, scaled));
}

struct node *compose_gelu_tanh(struct builder *b, struct node *x)
{
    double root_two_over_pi = 0.79788456080286536;
    struct node *cube = build2(b, OP_MUL, build2(b, OP_MUL, x, x), x);
    struct node *inner = build2(b, OP_ADD, x, build2(b, OP_MUL, build_number(b, 0.044715), cube));
    struct node *scaled = build2(b, OP_MUL, build_number(b, root_two_over_pi), inner);
    return half_times(b, x, build1(b, OP_TANH, scaled));
}

struct node *compose_layer_norm(struct builder *b, struct node *x, unsigned n_axes,
                                struct node *weight, struct node *bias, double eps)
{
    unsigned axes = 0;
    for (unsigned i = 0; i < n_axes; i++)
        axes |= 1U << (x->value.n_axes - 1 - i);
    struct node *mean = build_reduce(b, OP_MEAN, x, axes, true, 0);
    struct node *variance = build_reduce(b, OP_VAR, x, axes, true, 0);
    struct node *spread = build1(b, OP_SQRT, build2(b, OP_ADD, variance, build_number(b, eps)));
    struct node *y = build2(b, OP_DIV, build2(b, OP_SUB, x, mean), spread);
    if (weight != NULL)
        y = build2(b, OP_MUL, y, weight);
    return bias != NULL ? build2(b, OP_ADD, y, bias) : y;
}

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
