/* See builder.h. */
#include "graph/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "graph/window_internal.h"
#include "tensor/tensor.h"

void builder_init(struct builder *builder, struct graph *graph, struct error *reterr)
{
    *builder = (struct builder){.graph = graph, .reterr = reterr};
}

void builder_release(struct builder *builder)
{
    for (size_t i = 0; i < builder->n_made; i++)
        node_free(builder->made[i]);
    free(builder->made);
    *builder = (struct builder){0};
}

struct node *builder_keep(struct builder *builder, struct node *node)
{
    struct node **made =
        node ? array_grow(builder->made, builder->n_made, &builder->capacity, sizeof(*made)) : NULL;
    if (node != NULL && made == NULL)
        error_memory(builder->reterr, "building a formula");
    if (made == NULL) {
        node_free(node);
        builder->failed = true;
        return NULL;
    }
    builder->made = made;
    made[builder->n_made++] = node;
    node->largest_first = node->largest_first || builder->largest_first;
    return node;
}

struct node *build_args(struct builder *builder, enum op_kind kind, unsigned n_parents,
                        struct node *const *parents, const struct op_args *args)
{
    if (builder->failed)
        return NULL;
    for (unsigned i = 0; i < n_parents; i++)
        if (parents[i] == NULL)
            return NULL;
    struct graph *graph = builder->graph;
    const struct op *op = op_get(kind);
    return builder_keep(
        builder,
        builder->window == NULL
            ? node_new(graph, op, n_parents, parents, args, builder->reterr)
            : window_node(graph, builder->window, op, n_parents, parents, args, builder->reterr));
}

struct node *build1(struct builder *builder, enum op_kind kind, struct node *x)
{
    return build_args(builder, kind, 1, &x, &(struct op_args){0});
}

struct node *build2(struct builder *builder, enum op_kind kind, struct node *a, struct node *b)
{
    return build_args(builder, kind, 2, (struct node *const[]){a, b}, &(struct op_args){0});
}

struct node *build3(struct builder *builder, enum op_kind kind, struct node *a, struct node *b,
                    struct node *c)
{
    return build_args(builder, kind, 3, (struct node *const[]){a, b, c}, &(struct op_args){0});
}

struct node *build_ints(struct builder *builder, enum op_kind kind, struct node *x, size_t n_ints,
                        const ptrdiff_t *ints, double number)
{
    struct op_args args = {.number = number, .n_ints = n_ints, .ints = ints};
    return build_args(builder, kind, 1, &x, &args);
}

struct node *build_many(struct builder *builder, enum op_kind kind, unsigned n_parents,
                        struct node *const *parents, size_t n_ints, const ptrdiff_t *ints)
{
    struct op_args args = {.n_ints = n_ints, .ints = ints};
    return build_args(builder, kind, n_parents, parents, &args);
}

struct node *build_number(struct builder *builder, double number)
{
    if (builder->failed)
        return NULL;
    return builder_keep(builder, node_constant(builder->graph, (float)number, builder->reterr));
}

struct node *build_input(struct builder *builder, struct tensor *value, const char *text)
{
    if (builder->failed) {
        tensor_release(value);
        return NULL;
    }
    return builder_keep(builder,
                        node_input(builder->graph, value, text, strlen(text), builder->reterr));
}

/* True when order takes back what the nameless x did to its parent: K.T transposed is K. */
static bool undoes(const struct node *x, const ptrdiff_t *order)
{
    if (x->op->kind != OP_PERMUTE || x->name != NULL)
        return false;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        if (x->args.ints[order[axis]] != (ptrdiff_t)axis)
            return false;
    return true;
}

struct node *build_transpose(struct builder *builder, struct node *x, unsigned a, unsigned b)
{
    if (x == NULL)
        return NULL;
    ptrdiff_t order[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        order[axis] = axis == a ? b : axis == b ? a : axis;
    if (undoes(x, order))
        return x->parents[0];
    return build_ints(builder, OP_PERMUTE, x, x->value.n_axes, order, 0);
}

struct node *build_reduce(struct builder *builder, enum op_kind kind, struct node *x, unsigned axes,
                          bool keep_axes, double correction)
{
    if (x == NULL)
        return NULL;
    ptrdiff_t ints[TENSOR_MAX_AXES + 1];
    size_t n_ints = 0;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        if (axes == 0 || (axes >> axis & 1U))
            ints[n_ints++] = axis;
    if (kind == OP_VAR || kind == OP_STD)
        ints[n_ints++] = (ptrdiff_t)correction;
    return build_ints(builder, kind, x, n_ints, ints, keep_axes);
}

struct node *build_slice(struct builder *builder, struct node *x, unsigned axis, size_t start,
                         size_t count)
{
    if (x == NULL)
        return NULL;
    ptrdiff_t ints[3 * TENSOR_MAX_AXES];
    for (unsigned i = 0; i < x->value.n_axes; i++) {
        ints[3 * i] = i == axis ? (ptrdiff_t)start : 0;
        ints[3 * i + 1] = (ptrdiff_t)(i == axis ? count : x->value.shape[i]);
        ints[3 * i + 2] = 1;
    }
    return build_ints(builder, OP_SLICE, x, 3 * (size_t)x->value.n_axes, ints, 0);
}

struct node *build_reshape(struct builder *builder, struct node *x, unsigned n_axes,
                           const size_t *shape)
{
    ptrdiff_t ints[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < n_axes && axis < TENSOR_MAX_AXES; axis++)
        ints[axis] = (ptrdiff_t)shape[axis];
    return build_ints(builder, OP_RESHAPE, x, n_axes, ints, 0);
}

struct node *build_repeat(struct builder *builder, struct node *x, size_t n, unsigned axis)
{
    const struct tensor *value = &x->value;
    size_t shape[TENSOR_MAX_AXES];
    ptrdiff_t wide[TENSOR_MAX_AXES];
    if (axis >= value->n_axes || value->n_axes == TENSOR_MAX_AXES) {
        builder->failed = true;
        error_set(builder->reterr, ERR_SHAPE,
                  "repeating positions: a tensor of 1 to %d axes is needed, and this one has %u",
                  TENSOR_MAX_AXES - 1, value->n_axes);
        return NULL;
    }
    memcpy(shape, value->shape, (axis + 1) * sizeof *shape);
    shape[axis + 1] = 1;
    memcpy(shape + axis + 2, value->shape + axis + 1, (value->n_axes - axis - 1) * sizeof *shape);
    for (unsigned i = 0; i <= value->n_axes; i++)
        wide[i] = (ptrdiff_t)(i == axis + 1 ? n : shape[i]);
    struct node *apart = build_reshape(builder, x, value->n_axes + 1, shape);
    struct node *repeated = build_ints(builder, OP_EXPAND, apart, value->n_axes + 1, wide, 0);
    memcpy(shape, value->shape, value->n_axes * sizeof *shape);
    shape[axis] *= n;
    return build_reshape(builder, repeated, value->n_axes, shape);
}

struct node *build_name(struct builder *builder, struct node *node, const char *name)
{
    if (node == NULL || builder->failed)
        return NULL;
    if (node->name == NULL && !node_set_name(node, name, strlen(name), builder->reterr)) {
        builder->failed = true;
        return NULL;
    }
    return node;
}

struct node *builder_result(struct builder *builder, struct node *node)
{
    return builder->failed || node == NULL ? NULL : node_share(node);
}

struct node *build_split_heads(struct builder *b, struct node *x, size_t n_heads)
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

struct node *build_merge_heads(struct builder *b, struct node *x)
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
