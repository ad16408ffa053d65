/* Gradients, comparisons of whole tensors, conversions, printing, time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/grad.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "lang/builtins/weights_value_internal.h"
#include "lang/value/value.h"
#include "tensor/tensor.h"

/* nodes[0..n) as a list; takes their shares over. */
static bool list_of_nodes(struct call *call, struct node *const *nodes, size_t n, struct value *ret)
{
    struct value *values = calloc(n + 1, sizeof *values);
    bool ok = values != NULL || error_memory(call->reterr, call->builtin->name);
    for (size_t i = 0; ok && i < n; i++)
        values[i] = value_node(nodes[i]);
    ok = ok && value_list(values, n, ret, call->reterr);
    for (size_t i = 0; i < n; i++)
        if (values != NULL)
            value_release(&values[i]);
        else
            node_free(nodes[i]);
    free(values);
    return ok;
}

/* grad(loss, m.parameters): the gradient of each. */
static bool grad_of_weights(struct call *call, struct node *loss, const struct weights_list *list,
                            struct value *ret)
{
    struct node **gradients = calloc(list->n + 1, sizeof(*gradients));
    if (gradients == NULL)
        return error_memory(call->reterr, "grad");
    bool ok =
        graph_grad(call->builder.graph, loss, list->nodes, list->n, gradients, call->reterr) &&
        value_gradients(list, gradients, ret, call->reterr);
    free(gradients);
    return ok;
}

/* grad(loss, W), or a list of gradients for a list. */
static bool run_grad(struct call *call, struct value *ret)
{
    struct graph *graph = call->builder.graph;
    struct node *loss = arg_node(call, 0), *gradient;
    if (loss == NULL)
        return false;
    const struct weights_list *weights = value_as_weights(&call->args[1]);
    if (weights != NULL)
        return grad_of_weights(call, loss, weights, ret);
    if (call->args[1].kind != VALUE_LIST) {
        struct node *w = arg_node(call, 1);
        if (w == NULL || !graph_grad(graph, loss, &w, 1, &gradient, call->reterr))
            return false;
        *ret = value_node(gradient);
        return true;
    }
    const struct list *list = call->args[1].as.list;
    struct node **wrt = calloc(2 * list->n + 1, sizeof(*wrt));
    if (wrt == NULL)
        return error_memory(call->reterr, "grad");
    struct node **gradients = wrt + list->n;
    bool ok = true;
    for (size_t i = 0; ok && i < list->n; i++) {
        ok = list->items[i].kind == VALUE_NODE ||
             error_set(call->reterr, ERR_TYPE, "grad: the list must hold tensors");
        wrt[i] = list->items[i].as.node; /* borrowed */
    }
    ok = ok && graph_grad(graph, loss, wrt, list->n, gradients, call->reterr) &&
         list_of_nodes(call, gradients, list->n, ret);
    free(wrt);
    return ok;
}

static bool not_comparable(struct call *call, const struct node *a, const struct node *b)
{
    char shapes[2][TENSOR_SHAPE_TEXT];
    return error_set(call->reterr, ERR_SHAPE,
                     "allclose: the shapes do not fit: input is %s, other is %s; compare tensors "
                     "of one shape",
                     tensor_shape_text(&a->value, shapes[0]),
                     tensor_shape_text(&b->value, shapes[1]));
}

/* |a - b| <= atol + rtol |b| everywhere; infinities equal; NaN equal only if equal_nan. */
static bool run_allclose(struct call *call, struct value *ret)
{
    double rtol, atol;
    bool equal_nan, close = true;
    struct node *a = arg_node(call, 0), *b = arg_node(call, 1);
    if (a == NULL || b == NULL || !arg_number(call, 2, 1e-5, &rtol) ||
        !arg_number(call, 3, 1e-8, &atol) || !arg_flag(call, 4, false, &equal_nan))
        return false;
    struct node *zero = build_number(&call->builder, 0);
    /* Broadcasting by an addition of zeros would turn inf into NaN; where() leaves numbers alone.
     */
    struct node *never = build2(&call->builder, OP_NE, zero, zero);
    struct node *wide_b = build3(&call->builder, OP_WHERE, never, a, b);
    struct node *wide_a = build3(&call->builder, OP_WHERE, never, b, a);
    if (wide_a == NULL || wide_b == NULL)
        return call->reterr != NULL && call->reterr->kind == ERR_SHAPE ? not_comparable(call, a, b)
                                                                       : false;
    for (size_t i = 0, n = tensor_size(&wide_a->value); i < n && close; i++) {
        double x = (double)tensor_at_position(&wide_a->value, i);
        double y = (double)tensor_at_position(&wide_b->value, i);
        bool both_nan = isnan(x) && isnan(y) && equal_nan;
        double away = fabs(x - y);
        close = x == y || both_nan || (isfinite(away) && away <= atol + rtol * fabs(y));
    }
    *ret = value_node(node_constant_bool(call->builder.graph, close, call->reterr));
    return ret->kind == VALUE_NODE;
}

static bool convert(struct call *call, enum op_kind kind, struct value *ret)
{
    return call_result(call, build1(&call->builder, kind, arg_node(call, 0)), ret);
}

/* float("-inf") as Python has it, or True as 1. */
static bool run_float(struct call *call, struct value *ret)
{
    if (call->args[0].kind != VALUE_STRING)
        return convert(call, OP_TO_FLOAT, ret);
    const char *text = call->args[0].as.string->bytes;
    char *end;
    float number = strtof(text, &end);
    if (end == text || *end != '\0')
        return error_set(call->reterr, ERR_TYPE, "float: \"%.40s\" is not a number", text);
    *ret = value_node(node_constant(call->builder.graph, number, call->reterr));
    return ret->kind == VALUE_NODE;
}

RUN_WITH(bool, convert, OP_TO_BOOL)

static bool run_int(struct call *call, struct value *ret)
{
    struct builder *b = &call->builder;
    struct node *x = arg_node(call, 0);
    struct node *size = build1(b, OP_FLOOR, build1(b, OP_ABS, x));
    return call_result(call, build2(b, OP_MUL, build1(b, OP_SIGN, x), size), ret);
}

/* In a loop the result forgets its parents: W = detach(W - step) would otherwise keep the W of
 * every turn, and grad would walk through them all. */
static bool run_detach(struct call *call, struct value *ret)
{
    if (!call->context->in_loop)
        return convert(call, OP_DETACH, ret);
    struct node *x = arg_node(call, 0);
    struct tensor value;
    if (x == NULL || !tensor_dense(&x->value, &value, call->reterr) ||
        !call_input(call, &value, ret))
        return false;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        node_set_labels(ret->as.node, axis, x->labels[axis]);
    return true;
}

static bool run_clone(struct call *call, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    return call_result(call, x ? compose_same(&call->builder, x) : NULL, ret);
}

static bool run_item(struct call *call, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    if (x == NULL)
        return false;
    if (tensor_size(&x->value) != 1) {
        char shape[TENSOR_SHAPE_TEXT];
        return error_set(call->reterr, ERR_SHAPE,
                         "item: a tensor of one number is needed, and this "
                         "is %s",
                         tensor_shape_text(&x->value, shape));
    }
    return call_result(call, build_reshape(&call->builder, x, 0, NULL), ret);
}

/* In attn a value is shown by naming it; print is here for pasted notebooks. */
static bool run_print(struct call *call, struct value *ret)
{
    if (call->n_rest == 1) {
        *ret = value_share(&call->rest[0]);
        return true;
    }
    return value_list(call->rest, call->n_rest, ret, call->reterr);
}

/* timeit("formula", number=5) */
static bool run_timeit(struct call *call, struct value *ret)
{
    enum { MAX_RUNS = 1000000 };
    const struct string *code;
    size_t number;
    struct formula_measure measure;
    struct tensor value;
    if (!arg_text(call, 0, &code) || !arg_size(call, 1, 5, &number))
        return false;
    if (number < 1 || number > MAX_RUNS)
        return error_set(call->reterr, ERR_RANGE, "timeit: number must be from 1 to %d", MAX_RUNS);
    return call->context->measure_formula(call->context->session, "timeit", code, number, &measure,
                                          call->reterr) &&
           tensor_scalar((float)measure.seconds, &value, call->reterr) &&
           call_input(call, &value, ret);
}

static bool count(struct call *call, struct cost *ret)
{
    const struct string *code;
    struct formula_measure measure;
    if (!arg_text(call, 0, &code) ||
        !call->context->measure_formula(call->context->session, call->builtin->name, code, 1,
                                        &measure, call->reterr))
        return false;
    *ret = measure.cost;
    return true;
}

/* count_products("formula") */
static bool run_count_products(struct call *call, struct value *ret)
{
    struct cost cost;
    struct tensor value;
    return count(call, &cost) && tensor_scalar((float)cost.products, &value, call->reterr) &&
           call_input(call, &value, ret);
}

/* count_bytes("formula") */
static bool run_count_bytes(struct call *call, struct value *ret)
{
    struct cost cost;
    struct tensor value;
    return count(call, &cost) && tensor_scalar((float)cost.bytes, &value, call->reterr) &&
           call_input(call, &value, ret);
}

#define OTHER "gradients and the rest"

const struct builtin builtins_other[] = {
    {"grad",
     OTHER,
     {"loss", "W"},
     "How the loss changes with each number of W; a list of tensors gives a list, and "
     "m.parameters of a model the gradients of all.",
     "W = [[1, 2], [3, 4]]; loss = sum(W * W)\ngrad(loss, W)",
     run_grad},
    {"allclose",
     OTHER,
     {"input", "other", "rtol=1e-05", "atol=1e-08", "equal_nan=False"},
     "True when all numbers agree within atol + rtol * |other|.",
     "allclose(softmax([1, 2]), [0.2689, 0.7311], atol=1e-3)",
     run_allclose},
    {"detach",
     OTHER,
     {"input"},
     "The same numbers, through which no gradient flows.",
     "x = [1, 2]; grad(sum(x * x.detach()), x)",
     run_detach},
    {"float",
     OTHER,
     {"input"},
     "True and False as 1 and 0; a text such as \"-inf\" as a number.",
     "float(\"-inf\")",
     run_float},
    {"bool",
     OTHER,
     {"input"},
     "True where a number is not 0.",
     "triu(ones(2, 2), diagonal=1).bool()",
     run_bool},
    {"int", OTHER, {"input"}, "The whole part of each number.", "int(-1.7)", run_int},
    {"item", OTHER, {"input"}, "The number of a tensor that holds one.", "[[5]].item()", run_item},
    {"clone",
     OTHER,
     {"input"},
     "The same tensor; numpy and cpu are the same.",
     "[1, 2].clone()",
     run_clone},
    {"print",
     OTHER,
     {"*values"},
     "Shows values; naming one does the same.",
     "print(1 + 1)",
     run_print},
    {"timeit",
     OTHER,
     {"code", "number=5"},
     "Seconds that a formula, given as a text, takes: the fastest of number runs.",
     "X = randn(64, 64)\ntimeit(\"X @ X\") < 1",
     run_timeit},
    {"count_products",
     OTHER,
     {"code"},
     "How many multiplications the products of matrices in a formula, given as a text, take.",
     "X = randn(5, 3)\ncount_products(\"X @ X.T\")",
     run_count_products},
    {"count_bytes",
     OTHER,
     {"code"},
     "How many bytes the matrices take that a formula, given as a text, makes on its way and "
     "keeps.",
     "X = randn(5, 3)\ncount_bytes(\"softmax(X @ X.T)\")",
     run_count_bytes},
};
const size_t n_builtins_other = COUNT_OF(builtins_other);
