/* The layers of transformers that stand beside attention, and the loss they are trained with. */
#include <float.h>
#include <string.h>

#include "base/array.h"
#include "graph/layers.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "tensor/tensor.h"

static bool run_sigmoid(struct call *call, struct value *ret)
{
    return call_result(call, build_sigmoid(&call->builder, arg_node(call, 0)), ret);
}

static bool run_silu(struct call *call, struct value *ret)
{
    return call_result(call, build_silu(&call->builder, arg_node(call, 0)), ret);
}

static bool run_gelu(struct call *call, struct value *ret)
{
    const struct string *form = NULL;
    struct node *x = arg_node(call, 0);
    if (x == NULL || (arg_given(call, 1) && !arg_text(call, 1, &form)))
        return false;
    bool by_tanh = form != NULL && strcmp(form->bytes, "tanh") == 0;
    if (form != NULL && !by_tanh && strcmp(form->bytes, "none") != 0)
        return error_set(call->reterr, ERR_NAME,
                         "gelu: approximate is \"none\" (exact) or \"tanh\"");
    return call_result(call, build_gelu(&call->builder, x, by_tanh), ret);
}

/* How many of the last axes a shape such as (64,) names; an error unless it fits x. */
static bool normalized_axes(struct call *call, const struct node *x, unsigned *ret_n)
{
    const char *name = call->builtin->name;
    size_t shape[TENSOR_MAX_AXES];
    *ret_n = 1;
    if (x->value.n_axes == 0)
        return error_set(call->reterr, ERR_SHAPE, "%s: a single number has no axes", name);
    if (!arg_given(call, 1))
        return true;
    if (!arg_shape(call, &call->args[1], 1, shape, ret_n))
        return false;
    bool fits = *ret_n > 0 && *ret_n <= x->value.n_axes;
    for (unsigned i = 0; fits && i < *ret_n; i++)
        fits = shape[i] == x->value.shape[x->value.n_axes - *ret_n + i];
    char text[TENSOR_SHAPE_TEXT];
    return fits || error_set(call->reterr, ERR_SHAPE,
                             "%s: normalized_shape must be the last sizes of input, which is %s",
                             name, tensor_shape_text(&x->value, text));
}

static bool run_layer_norm(struct call *call, struct value *ret)
{
    bool ok = true;
    unsigned n_axes;
    double eps;
    struct node *x = arg_node(call, 0);
    struct node *weight = arg_node_or_null(call, 2, &ok), *bias = arg_node_or_null(call, 3, &ok);
    if (x == NULL || !ok || !arg_number(call, 4, 1e-5, &eps) || !normalized_axes(call, x, &n_axes))
        return false;
    return call_result(call, build_layer_norm(&call->builder, x, n_axes, weight, bias, eps), ret);
}

/* Without eps it is the step of float32 at 1, as in PyTorch. */
static bool run_rms_norm(struct call *call, struct value *ret)
{
    bool ok = true;
    unsigned n_axes;
    double eps = (double)FLT_EPSILON;
    struct node *x = arg_node(call, 0), *weight = arg_node_or_null(call, 2, &ok);
    if (x == NULL || !ok || (arg_given(call, 3) && !arg_number(call, 3, eps, &eps)) ||
        !normalized_axes(call, x, &n_axes))
        return false;
    return call_result(call, build_rms_norm(&call->builder, x, n_axes, weight, eps), ret);
}

/* ---- cross-entropy ---- */

/* PyTorch's classes stand on axis 1: (n_classes), (n, n_classes) or (n, n_classes, ...). Moved to
 * the end. */
static struct node *classes_last(struct builder *builder, struct node *scores)
{
    ptrdiff_t order[TENSOR_MAX_AXES];
    unsigned n = scores->value.n_axes;
    if (n < 3)
        return scores;
    order[0] = 0;
    order[n - 1] = 1;
    for (unsigned axis = 1; axis + 1 < n; axis++)
        order[axis] = (ptrdiff_t)axis + 1;
    return build_ints(builder, OP_PERMUTE, scores, n, order, 0);
}

static bool check_targets(const struct call *call, const struct node *scores,
                          const struct node *targets)
{
    char text[2][TENSOR_SHAPE_TEXT];
    const struct tensor *x = &scores->value, *t = &targets->value;
    bool fits = x->n_axes > 0 && t->n_axes + 1 == x->n_axes;
    for (unsigned axis = 0; fits && axis < t->n_axes; axis++)
        fits = t->shape[axis] == x->shape[axis == 0 ? 0 : axis + 1];
    return fits || error_set(call->reterr, ERR_SHAPE,
                             "cross_entropy: input is %s and target is %s; of scores (n, "
                             "n_classes) each row needs the number of one class: n in all",
                             tensor_shape_text(x, text[0]), tensor_shape_text(t, text[1]));
}

static struct node *reduced(struct call *call, struct node *scores, struct node *targets,
                            double ignored, const char *reduction)
{
    struct builder *b = &call->builder;
    if (strcmp(reduction, "mean") == 0)
        return build_cross_entropy(b, scores, targets, ignored);
    struct node *losses = build_losses(b, scores, targets, ignored);
    if (strcmp(reduction, "sum") == 0)
        return build_reduce(b, OP_SUM, losses, 0, false, 0);
    return losses;
}

static bool run_cross_entropy(struct call *call, struct value *ret)
{
    double ignored;
    const struct string *how = NULL;
    struct node *scores = arg_node(call, 0), *targets = arg_node(call, 1);
    if (scores == NULL || targets == NULL || !arg_number(call, 2, -100, &ignored) ||
        (arg_given(call, 3) && !arg_text(call, 3, &how)) || !check_targets(call, scores, targets))
        return false;
    const char *reduction = how != NULL ? how->bytes : "mean";
    if (strcmp(reduction, "mean") != 0 && strcmp(reduction, "sum") != 0 &&
        strcmp(reduction, "none") != 0)
        return error_set(call->reterr, ERR_NAME,
                         "cross_entropy: reduction is \"mean\", \"sum\" or \"none\"");
    scores = classes_last(&call->builder, scores);
    return call_result(
        call, scores != NULL ? reduced(call, scores, targets, ignored, reduction) : NULL, ret);
}

#define LAYERS "layers"

const struct builtin builtins_layers[] = {
    {"layer_norm",
     LAYERS,
     {"input", "normalized_shape=None", "weight=None", "bias=None", "eps=1e-5"},
     "Each row shifted to mean 0 and scaled to variance 1.",
     "layer_norm([[1, 2, 3], [2, 4, 9]])",
     run_layer_norm},
    {"rms_norm",
     LAYERS,
     {"input", "normalized_shape=None", "weight=None", "eps=None"},
     "Each row divided by the root of the mean of its squares.",
     "rms_norm([[3, 4], [1, 1]])",
     run_rms_norm},
    {"gelu",
     LAYERS,
     {"input", "approximate=\"none\""},
     "Gaussian error linear unit: x times the normal distribution's share below x.",
     "gelu([-1, 0, 1])",
     run_gelu},
    {"silu",
     LAYERS,
     {"input"},
     "x times sigmoid(x), also called swish.",
     "silu([-1, 0, 1])",
     run_silu},
    {"sigmoid",
     LAYERS,
     {"input"},
     "1 / (1 + exp(-x)), between 0 and 1.",
     "sigmoid([-1, 0, 1])",
     run_sigmoid},
    {"cross_entropy",
     LAYERS,
     {"input", "target", "ignore_index=-100", "reduction=\"mean\""},
     "The loss of scores (n, n_classes) whose right classes are target: the mean of "
     "-log(softmax) there. A target of ignore_index is left out.",
     "logits = [[2, 1, 0], [0, 3, 1]]\ncross_entropy(logits, [0, 1])",
     run_cross_entropy},
};
const size_t n_builtins_layers = COUNT_OF(builtins_layers);
