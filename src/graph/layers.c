/* See layers.h. */
#include "graph/layers.h"

#include <math.h>

#include "graph/node.h"

struct node *build_sigmoid(struct builder *b, struct node *x)
{
    struct node *power = build1(b, OP_EXP, build1(b, OP_NEG, x));
    struct node *below = build2(b, OP_ADD, build_number(b, 1), power);
    return build2(b, OP_DIV, build_number(b, 1), below);
}

struct node *build_silu(struct builder *b, struct node *x)
{
    return build2(b, OP_MUL, x, build_sigmoid(b, x));
}

static struct node *half_times(struct builder *b, struct node *x, struct node *factor)
{
    struct node *one_more = build2(b, OP_ADD, build_number(b, 1), factor);
    return build2(b, OP_MUL, build2(b, OP_MUL, build_number(b, 0.5), x), one_more);
}

static struct node *gelu_by_erf(struct builder *b, struct node *x)
{
    struct node *scaled = build2(b, OP_DIV, x, build1(b, OP_SQRT, build_number(b, 2)));
    return half_times(b, x, build1(b, OP_ERF, scaled));
}

static struct node *gelu_by_tanh(struct builder *b, struct node *x)
{
    double root_two_over_pi = 0.79788456080286536;
    struct node *cube = build2(b, OP_MUL, build2(b, OP_MUL, x, x), x);
    struct node *inner = build2(b, OP_ADD, x, build2(b, OP_MUL, build_number(b, 0.044715), cube));
    struct node *scaled = build2(b, OP_MUL, build_number(b, root_two_over_pi), inner);
    return half_times(b, x, build1(b, OP_TANH, scaled));
}

struct node *build_gelu(struct builder *b, struct node *x, bool by_tanh)
{
    return by_tanh ? gelu_by_tanh(b, x) : gelu_by_erf(b, x);
}

/* The last n axes of x, as bits. */
static unsigned last_axes(const struct node *x, unsigned n)
{
    unsigned axes = 0;
    for (unsigned i = 0; i < n; i++)
        axes |= 1U << (x->value.n_axes - 1 - i);
    return axes;
}

/* x / sqrt(square + eps) */
static struct node *over_root(struct builder *b, struct node *x, struct node *square, double eps)
{
    return build2(b, OP_DIV, x,
                  build1(b, OP_SQRT, build2(b, OP_ADD, square, build_number(b, eps))));
}

struct node *build_layer_norm(struct builder *b, struct node *x, unsigned n_axes,
                              struct node *weight, struct node *bias, double eps)
{
    if (x == NULL)
        return NULL;
    unsigned axes = last_axes(x, n_axes);
    struct node *mean = build_reduce(b, OP_MEAN, x, axes, true, 0);
    struct node *variance = build_reduce(b, OP_VAR, x, axes, true, 0);
    struct node *y = over_root(b, build2(b, OP_SUB, x, mean), variance, eps);
    if (weight != NULL)
        y = build2(b, OP_MUL, y, weight);
    return bias != NULL ? build2(b, OP_ADD, y, bias) : y;
}

struct node *build_rms_norm(struct builder *b, struct node *x, unsigned n_axes, struct node *weight,
                            double eps)
{
    if (x == NULL)
        return NULL;
    struct node *squares = build2(b, OP_MUL, x, x);
    struct node *mean = build_reduce(b, OP_MEAN, squares, last_axes(x, n_axes), true, 0);
    struct node *y = over_root(b, x, mean, eps);
    return weight != NULL ? build2(b, OP_MUL, y, weight) : y;
}

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
