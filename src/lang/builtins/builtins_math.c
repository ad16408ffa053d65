/* Arithmetic, number by number, and products. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "tensor/tensor.h"

static bool apply_unary(struct call *call, enum op_kind kind, struct value *ret)
{
    return call_result(call, build1(&call->builder, kind, arg_node(call, 0)), ret);
}
RUN_WITH(exp, apply_unary, OP_EXP)
RUN_WITH(log, apply_unary, OP_LOG)
RUN_WITH(sqrt, apply_unary, OP_SQRT)
RUN_WITH(tanh, apply_unary, OP_TANH)
RUN_WITH(relu, apply_unary, OP_RELU)
RUN_WITH(abs, apply_unary, OP_ABS)
RUN_WITH(erf, apply_unary, OP_ERF)
RUN_WITH(sin, apply_unary, OP_SIN)
RUN_WITH(cos, apply_unary, OP_COS)
RUN_WITH(sign, apply_unary, OP_SIGN)
RUN_WITH(floor, apply_unary, OP_FLOOR)
RUN_WITH(logical_not, apply_unary, OP_NOT)

static bool apply_binary(struct call *call, enum op_kind kind, struct value *ret)
{
    return call_result(call, build2(&call->builder, kind, arg_node(call, 0), arg_node(call, 1)),
                       ret);
}
RUN_WITH(pow, apply_binary, OP_POW)
RUN_WITH(maximum, apply_binary, OP_MAXIMUM)
RUN_WITH(minimum, apply_binary, OP_MINIMUM)
RUN_WITH(matmul, apply_binary, OP_MATMUL)

/* With decimals, the number is moved left before it is rounded, and back after it. */
static bool run_round(struct call *call, struct value *ret)
{
    struct builder *b = &call->builder;
    ptrdiff_t decimals;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_whole(call, 1, 0, &decimals))
        return false;
    if (decimals < -30 || decimals > 30)
        return error_set(call->reterr, ERR_RANGE, "round: decimals go from -30 to 30");
    if (decimals == 0)
        return call_result(call, build1(b, OP_ROUND, x), ret);
    struct node *power = build_number(b, pow(10, (double)decimals));
    return call_result(
        call, build2(b, OP_DIV, build1(b, OP_ROUND, build2(b, OP_MUL, x, power)), power), ret);
}

static bool run_clamp(struct call *call, struct value *ret)
{
    bool ok = true;
    struct node *x = arg_node(call, 0);
    struct node *low = arg_node_or_null(call, 1, &ok), *high = arg_node_or_null(call, 2, &ok);
    if (x == NULL || !ok)
        return false;
    if (low != NULL)
        x = build2(&call->builder, OP_MAXIMUM, x, low);
    if (high != NULL)
        x = build2(&call->builder, OP_MINIMUM, x, high);
    return call_result(call, x, ret);
}

static bool apply_to_three(struct call *call, enum op_kind kind, struct value *ret)
{
    struct node *a = arg_node(call, 0), *b = arg_node(call, 1), *c = arg_node(call, 2);
    return call_result(call, build3(&call->builder, kind, a, b, c), ret);
}
RUN_WITH(where, apply_to_three, OP_WHERE)
RUN_WITH(masked_fill, apply_to_three, OP_MASKED_FILL)

static bool vectors_needed(struct call *call, const struct node *a, const struct node *b,
                           const char *remedy)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    return error_set(call->reterr, ERR_SHAPE,
                     "%s: two vectors are needed, and these are %s and %s; %s", call->builtin->name,
                     tensor_shape_text(&a->value, left), tensor_shape_text(&b->value, right),
                     remedy);
}

/* Both sides must be vectors of one length. */
static bool run_dot(struct call *call, struct value *ret)
{
    struct node *a = arg_node(call, 0), *b = arg_node(call, 1);
    if (a == NULL || b == NULL)
        return false;
    if (a->value.n_axes != 1 || b->value.n_axes != 1)
        return vectors_needed(call, a, b, "for matrices write @, for one row X[0]");
    return call_result(call, build2(&call->builder, OP_MATMUL, a, b), ret);
}

static bool run_outer(struct call *call, struct value *ret)
{
    struct builder *b = &call->builder;
    struct node *left = arg_node(call, 0), *right = arg_node(call, 1);
    if (left == NULL || right == NULL)
        return false;
    if (left->value.n_axes != 1 || right->value.n_axes != 1)
        return vectors_needed(call, left, right, "for all pairs of rows write A @ B.T");
    struct node *column = build_reshape(b, left, 2, (size_t[]){left->value.shape[0], 1});
    return call_result(call, build2(b, OP_MUL, column, right), ret);
}

/* norm's p: a number above 0, or "fro", which for vectors and matrices alike is 2. */
static bool read_p(struct call *call, double *ret)
{
    const struct value *value = &call->args[1];
    *ret = 2;
    if (value->kind == VALUE_STRING && strcmp(value->as.string->bytes, "fro") == 0)
        return true;
    return arg_number(call, 1, 2, ret) &&
           (*ret > 0 || error_set(call->reterr, ERR_RANGE,
                                  "norm: p must be above 0, such as 1, 2 or inf; for an axis write "
                                  "dim=-1"));
}

/* (sum |x|^p)^(1/p) */
static bool run_norm(struct call *call, struct value *ret)
{
    unsigned axes;
    bool keep;
    double p;
    struct builder *b = &call->builder;
    struct node *x = arg_node(call, 0), *y;
    if (x == NULL || !read_p(call, &p) || !arg_axes(call, 2, x, &axes) ||
        !arg_flag(call, 3, false, &keep))
        return false;
    struct node *size = p == 2 ? NULL : build1(b, OP_ABS, x);
    if (p == 2) {
        y = build1(b, OP_SQRT, build_reduce(b, OP_SUM, build2(b, OP_MUL, x, x), axes, keep, 0));
    } else if (p == 1 || isinf(p)) {
        y = build_reduce(b, p == 1 ? OP_SUM : OP_MAX, size, axes, keep, 0);
    } else {
        struct node *powers = build2(b, OP_POW, size, build_number(b, p));
        y = build2(b, OP_POW, build_reduce(b, OP_SUM, powers, axes, keep, 0),
                   build_number(b, 1 / p));
    }
    return call_result(call, y, ret);
}

/* x repeated to the shape of a result that it was broadcast into. */
static struct node *as_wide_as(struct builder *b, struct node *x, const struct node *wide)
{
    ptrdiff_t shape[TENSOR_MAX_AXES];
    if (tensor_same_shape(&x->value, &wide->value))
        return x;
    for (unsigned axis = 0; axis < wide->value.n_axes; axis++)
        shape[axis] = (ptrdiff_t)wide->value.shape[axis];
    return build_ints(b, OP_EXPAND, x, wide->value.n_axes, shape, 0);
}

static bool run_cosine_similarity(struct call *call, struct value *ret)
{
    unsigned axis;
    double eps;
    struct builder *b = &call->builder;
    struct node *x = arg_node(call, 0), *y = arg_node(call, 1);
    struct node *product = build2(b, OP_MUL, x, y);
    if (product == NULL || !arg_number(call, 3, 1e-8, &eps) ||
        !arg_axis(call, 2, product, product->value.n_axes > 1 ? 1 : 0, &axis))
        return false;
    x = as_wide_as(b, x, product);
    y = as_wide_as(b, y, product);
    unsigned bit = 1U << axis;
    struct node *squares_x = build_reduce(b, OP_SUM, build2(b, OP_MUL, x, x), bit, false, 0);
    struct node *squares_y = build_reduce(b, OP_SUM, build2(b, OP_MUL, y, y), bit, false, 0);
    struct node *lengths =
        build2(b, OP_MUL, build1(b, OP_SQRT, squares_x), build1(b, OP_SQRT, squares_y));
    struct node *safe = build2(b, OP_MAXIMUM, lengths, build_number(b, eps));
    return call_result(
        call, build2(b, OP_DIV, build_reduce(b, OP_SUM, product, bit, false, 0), safe), ret);
}

static bool run_linear(struct call *call, struct value *ret)
{
    bool ok = true;
    struct builder *b = &call->builder;
    struct node *x = arg_node(call, 0), *weight = arg_node(call, 1);
    struct node *bias = arg_node_or_null(call, 2, &ok);
    char shape[TENSOR_SHAPE_TEXT];
    if (x == NULL || weight == NULL || !ok)
        return false;
    if (weight->value.n_axes != 2)
        return error_set(call->reterr, ERR_SHAPE,
                         "linear: weight must be a matrix (d_out, d_in), and this is %s",
                         tensor_shape_text(&weight->value, shape));
    struct node *y = build2(b, OP_MATMUL, x, build_transpose(b, weight, 0, 1));
    return call_result(call, bias ? build2(b, OP_ADD, y, bias) : y, ret);
}

static bool run_isnan(struct call *call, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    return call_result(call, build2(&call->builder, OP_NE, x, x), ret);
}

static bool run_isinf(struct call *call, struct value *ret)
{
    struct builder *b = &call->builder;
    struct node *size = build1(b, OP_ABS, arg_node(call, 0));
    return call_result(call, build2(b, OP_EQ, size, build_number(b, 1e39)), ret);
}

#define MATH "arithmetic"

const struct builtin builtins_math[] = {
    {"exp", MATH, {"input"}, "e to the power of each number.", "exp([0, 1])", run_exp},
    {"log", MATH, {"input"}, "The natural logarithm.", "log(exp(2))", run_log},
    {"sqrt", MATH, {"input"}, "The square root.", "sqrt(64)", run_sqrt},
    {"tanh",
     MATH,
     {"input"},
     "The hyperbolic tangent, between -1 and 1.",
     "tanh([-1, 0, 1])",
     run_tanh},
    {"relu", MATH, {"input"}, "Negative numbers become 0.", "relu([-1, 2])", run_relu},
    {"abs", MATH, {"input"}, "Numbers without their sign.", "abs([-1, 2])", run_abs},
    {"erf", MATH, {"input"}, "The error function.", "erf([0, 1])", run_erf},
    {"sin", MATH, {"input"}, "The sine, of radians.", "sin(pi / 2)", run_sin},
    {"cos", MATH, {"input"}, "The cosine, of radians.", "cos(0)", run_cos},
    {"sign", MATH, {"input"}, "-1, 0 or 1.", "sign([-3, 0, 3])", run_sign},
    {"floor",
     MATH,
     {"input"},
     "The largest whole number that is not above.",
     "floor(1.7)",
     run_floor},
    {"round",
     MATH,
     {"input", "decimals=0"},
     "The nearest whole number, halves to even; with decimals, the nearest number with that many.",
     "round([0.5, 1.5])\nround(pi, decimals=2)",
     run_round},
    {"pow", MATH, {"input", "exponent"}, "Powers: the same as **.", "pow([1, 2, 3], 2)", run_pow},
    {"maximum",
     MATH,
     {"input", "other"},
     "The larger of two, cell by cell.",
     "maximum([1, 5], [3, 2])",
     run_maximum},
    {"minimum",
     MATH,
     {"input", "other"},
     "The smaller of two, cell by cell.",
     "minimum([1, 5], [3, 2])",
     run_minimum},
    {"clamp",
     MATH,
     {"input", "min=None", "max=None"},
     "Numbers pushed into [min, max].",
     "clamp([-2, 0.5, 2], -1, 1)",
     run_clamp},
    {"where",
     MATH,
     {"condition", "input", "other"},
     "input where the condition is true, other elsewhere.",
     "x = [1, -2, 3]; where(x > 0, x, 0)",
     run_where},
    {"masked_fill",
     MATH,
     {"input", "mask", "value"},
     "value where the mask is true: hides scores with -inf before softmax.",
     "mask = triu(ones(3, 3), diagonal=1)\nzeros(3, 3).masked_fill(mask == 1, -inf)",
     run_masked_fill},
    {"logical_not",
     MATH,
     {"input"},
     "True where a number is 0: the same as ~.",
     "logical_not([0, 1])",
     run_logical_not},
    {"isnan",
     MATH,
     {"input"},
     "True where a number is NaN (not a number).",
     "isnan([1, 0/0])",
     run_isnan},
    {"isinf", MATH, {"input"}, "True where a number is infinite.", "isinf([1, -inf])", run_isinf},
    {"matmul",
     MATH,
     {"input", "other"},
     "The product of matrices: the same as @.",
     "matmul([[1, 2], [3, 4]], [1, 1])",
     run_matmul},
    {"dot",
     MATH,
     {"input", "tensor"},
     "The dot product of two vectors.",
     "dot([0.34, 0.22, 0.54], [0.53, 0.34, 0.98])",
     run_dot},
    {"outer",
     MATH,
     {"input", "vec2"},
     "All products of the numbers of two vectors.",
     "outer([1, 2], [1, 10])",
     run_outer},
    {"norm",
     MATH,
     {"input", "p=2", "dim=None", "keepdim=False"},
     "The length: the root of the sum of squares. p=1 sums the sizes, p=inf takes the largest.",
     "norm([3, 4])",
     run_norm},
    {"cosine_similarity",
     MATH,
     {"x1", "x2", "dim=1", "eps=1e-8"},
     "The dot product divided by both lengths: 1 same direction, 0 orthogonal, -1 opposite.",
     "cosine_similarity([1, 0], [1, 1])",
     run_cosine_similarity},
    {"linear",
     MATH,
     {"input", "weight", "bias=None"},
     "input @ weight.T + bias, weight of shape (d_out, d_in) as PyTorch keeps it.",
     "linear([1, 2], [[1, 0], [0, 1], [1, 1]])",
     run_linear},
};
const size_t n_builtins_math = COUNT_OF(builtins_math);
