/* See layers.h. */
#include "graph/layers.h"

#include <math.h>
#include <string.h>

#include "graph/node.h"
#include "kernel/kernel.h"

/* ---- activations ---- */

static struct node *sigmoid_steps(struct builder *b, struct node *x)
{
    struct node *power = build1(b, OP_EXP, build1(b, OP_NEG, x));
    struct node *below = build2(b, OP_ADD, build_number(b, 1), power);
    return build2(b, OP_DIV, build_number(b, 1), below);
}

static struct node *half_times(struct builder *b, struct node *x, struct node *factor)
{
    struct node *one_more = build2(b, OP_ADD, build_number(b, 1), factor);
    return build2(b, OP_MUL, build2(b, OP_MUL, build_number(b, 0.5), x), one_more);
}

static struct node *gelu_steps(struct builder *b, struct node *x)
{
    struct node *scaled = build2(b, OP_DIV, x, build1(b, OP_SQRT, build_number(b, 2)));
    return half_times(b, x, build1(b, OP_ERF, scaled));
}

static struct node *gelu_tanh_steps(struct builder *b, struct node *x)
{
    double root_two_over_pi = 0.79788456080286536;
    struct node *cube = build2(b, OP_MUL, build2(b, OP_MUL, x, x), x);
    struct node *inner = build2(b, OP_ADD, x, build2(b, OP_MUL, build_number(b, 0.044715), cube));
    struct node *scaled = build2(b, OP_MUL, build_number(b, root_two_over_pi), inner);
    return half_times(b, x, build1(b, OP_TANH, scaled));
}

struct node *build_activation_steps(struct builder *b, enum op_kind kind, struct node *x)
{
    if (kind == OP_SIGMOID)
        return sigmoid_steps(b, x);
    if (kind == OP_SILU)
        return build2(b, OP_MUL, x, sigmoid_steps(b, x));
    return kind == OP_GELU ? gelu_steps(b, x) : gelu_tanh_steps(b, x);
}

/* Whether the rule by size is for one node. */
static bool is_large(const struct node *x)
{
    return tensor_size(&x->value) >= KERNEL_LEAST_NUMBERS;
}

static struct node *activation(struct builder *b, enum op_kind kind, struct node *x)
{
    return x != NULL && is_large(x) ? build1(b, kind, x) : build_activation_steps(b, kind, x);
}

struct node *build_sigmoid(struct builder *b, struct node *x)
{
    return activation(b, OP_SIGMOID, x);
}

struct node *build_silu(struct builder *b, struct node *x)
{
    return activation(b, OP_SILU, x);
}

struct node *build_gelu(struct builder *b, struct node *x, bool by_tanh)
{
    return activation(b, by_tanh ? OP_GELU_TANH : OP_GELU, x);
}

/* ---- norms ---- */

/* x / sqrt(square + eps) */
static struct node *over_root(struct builder *b, struct node *x, struct node *square, double eps)
{
    return build2(b, OP_DIV, x,
                  build1(b, OP_SQRT, build2(b, OP_ADD, square, build_number(b, eps))));
}

struct node *build_norm_steps(struct builder *b, enum op_kind kind, const struct norm_parts *parts)
{
    struct node *x = parts->x, *y;
    unsigned axes = 0;
    for (unsigned i = 0; i < parts->n_axes; i++)
        axes |= 1U << (x->value.n_axes - 1 - i);
    if (kind == OP_LAYER_NORM) {
        struct node *mean = build_reduce(b, OP_MEAN, x, axes, true, 0);
        struct node *variance = build_reduce(b, OP_VAR, x, axes, true, 0);
        y = over_root(b, build2(b, OP_SUB, x, mean), variance, parts->eps);
    } else {
        struct node *squares = build2(b, OP_MUL, x, x);
        y = over_root(b, x, build_reduce(b, OP_MEAN, squares, axes, true, 0), parts->eps);
    }
    if (parts->weight != NULL)
        y = build2(b, OP_MUL, y, parts->weight);
    return parts->bias != NULL ? build2(b, OP_ADD, y, parts->bias) : y;
}

/* Whether vector, where it is there, has the sizes of the last n_axes axes of x. */
static bool has_sizes(const struct node *vector, const struct node *x, unsigned n_axes)
{
    if (vector == NULL)
        return true;
    const size_t *sizes = x->value.shape + x->value.n_axes - n_axes;
    return vector->value.n_axes == n_axes &&
           memcmp(vector->value.shape, sizes, n_axes * sizeof *sizes) == 0;
}

/* x with its last n_axes axes as one. */
static struct node *as_rows(struct builder *b, struct node *x, unsigned n_axes)
{
    size_t shape[TENSOR_MAX_AXES], n = 1;
    if (x == NULL || n_axes == 1)
        return x;
    unsigned n_lead = x->value.n_axes - n_axes;
    memcpy(shape, x->value.shape, n_lead * sizeof *shape);
    for (unsigned axis = n_lead; axis < x->value.n_axes; axis++)
        n *= x->value.shape[axis];
    shape[n_lead] = n;
    return build_reshape(b, x, n_lead + 1, shape);
}

static struct node *norm_node(struct builder *b, enum op_kind kind, const struct norm_parts *parts)
{
    struct node *all[3] = {as_rows(b, parts->x, parts->n_axes)};
    ptrdiff_t ints[NORM_COUNT] = {parts->weight != NULL, parts->bias != NULL};
    unsigned n = 1;
    if (parts->weight != NULL)
        all[n++] = as_rows(b, parts->weight, parts->n_axes);
    if (parts->bias != NULL)
        all[n++] = as_rows(b, parts->bias, parts->n_axes);
    struct op_args args = {.number = parts->eps, .n_ints = NORM_COUNT, .ints = ints};
    struct node *y = build_args(b, kind, n, all, &args);
    const struct tensor *x = &parts->x->value;
    return y == NULL || parts->n_axes == 1 ? y : build_reshape(b, y, x->n_axes, x->shape);
}

static struct node *norm(struct builder *b, enum op_kind kind, const struct norm_parts *parts)
{
    if (parts->x == NULL)
        return NULL;
    bool one_node = is_large(parts->x) && has_sizes(parts->weight, parts->x, parts->n_axes) &&
                    has_sizes(parts->bias, parts->x, parts->n_axes);
    return one_node ? norm_node(b, kind, parts) : build_norm_steps(b, kind, parts);
}

struct node *build_layer_norm(struct builder *b, struct node *x, unsigned n_axes,
                              struct node *weight, struct node *bias, double eps)
{
    struct norm_parts parts = {x, weight, bias, n_axes, eps};
    return norm(b, OP_LAYER_NORM, &parts);
}

struct node *build_rms_norm(struct builder *b, struct node *x, unsigned n_axes, struct node *weight,
                            double eps)
{
    struct norm_parts parts = {x, weight, NULL, n_axes, eps};
    return norm(b, OP_RMS_NORM, &parts);
}

/* ---- the loss ---- */

static bool holds(const struct tensor *x, double number)
{
    size_t n = tensor_size(x);
    for (size_t i = 0; i < n; i++)
        if ((double)tensor_at_position(x, i) == number)
            return true;
    return false;
}

struct node *build_losses(struct builder *b, struct node *scores, struct node *targets,
                          double ignored)
{
    if (scores == NULL || targets == NULL)
        return NULL;
    struct op_args args = {.number = holds(&targets->value, ignored) ? ignored : (double)NAN};
    struct node *losses =
        build_args(b, OP_CROSS_ENTROPY, 2, (struct node *const[]){scores, targets}, &args);
    return build_name(b, losses, "losses");
}

struct node *build_cross_entropy(struct builder *b, struct node *scores, struct node *targets,
                                 double ignored)
{
    struct node *losses = build_losses(b, scores, targets, ignored);
    if (losses == NULL)
        return NULL;
    if (isnan(losses->args.number))
        return build_reduce(b, OP_MEAN, losses, 0, false, 0);
    struct node *counts =
        build1(b, OP_TO_FLOAT, build2(b, OP_NE, targets, build_number(b, ignored)));
    return build2(b, OP_DIV, build_reduce(b, OP_SUM, losses, 0, false, 0),
                  build_reduce(b, OP_SUM, counts, 0, false, 0));
}
