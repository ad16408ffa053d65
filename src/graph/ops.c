/* The table of operations: see ops.h. */
#include "graph/ops.h"

#include "graph/op_functions.h"
#include "tensor/elementwise.h"
#include "tensor/reduce.h"

#define UNARY_OP(kind_, name_, form_, binding_, vjp_) \
    [OP_##kind_] = {.kind = OP_##kind_,               \
                    .name = name_,                    \
                    .form = form_,                    \
                    .binding = binding_,              \
                    .code = UNARY_##kind_,            \
                    .forward = forward_unary,         \
                    .relabel = relabel_first,         \
                    .vjp = vjp_,                      \
                    .explain = explain_form}

#define BINARY_OP(kind_, code_, name_, form_, binding_, vjp_) \
    [OP_##kind_] = {.kind = OP_##kind_,                       \
                    .name = name_,                            \
                    .form = form_,                            \
                    .binding = binding_,                      \
                    .code = BINARY_##code_,                   \
                    .forward = forward_binary,                \
                    .relabel = relabel_broadcast,             \
                    .vjp = vjp_,                              \
                    .explain = explain_form}

#define REDUCE_OP(kind_, name_, vjp_)          \
    [OP_##kind_] = {.kind = OP_##kind_,        \
                    .name = name_,             \
                    .binding = BIND_TIGHT,     \
                    .code = REDUCE_##kind_,    \
                    .forward = forward_reduce, \
                    .relabel = relabel_reduce, \
                    .vjp = vjp_,               \
                    .explain = explain_reduce, \
                    .write = write_reduce}

#define SOFTMAX_OP(kind_, name_, forward_, vjp_) \
    [OP_##kind_] = {.kind = OP_##kind_,          \
                    .name = name_,               \
                    .binding = BIND_TIGHT,       \
                    .forward = forward_,         \
                    .relabel = relabel_first,    \
                    .vjp = vjp_,                 \
                    .explain = explain_softmax,  \
                    .write = write_softmax}

#define MOVE_OP(kind_, name_, step_, relabel_)  \
    [OP_##kind_] = {.kind = OP_##kind_,         \
                    .name = name_,              \
                    .binding = BIND_TIGHT,      \
                    .is_move = true,            \
                    .forward = forward_##step_, \
                    .relabel = relabel_,        \
                    .vjp = vjp_##step_,         \
                    .source = source_##step_,   \
                    .write = write_##step_}

static const struct op ops[OP_COUNT] = {
    [OP_CONSTANT] = {.kind = OP_CONSTANT,
                     .name = "number",
                     .binding = BIND_TIGHT,
                     .explain = explain_constant,
                     .write = write_constant},
    [OP_INPUT] = {.kind = OP_INPUT,
                  .name = "input",
                  .binding = BIND_TIGHT,
                  .explain = explain_input,
                  .write = write_input},

    UNARY_OP(NEG, "neg", "-%0", BIND_SIGN, vjp_neg),
    UNARY_OP(EXP, "exp", "exp(%0)", BIND_TIGHT, vjp_exp),
    UNARY_OP(LOG, "log", "log(%0)", BIND_TIGHT, vjp_log),
    UNARY_OP(SQRT, "sqrt", "sqrt(%0)", BIND_TIGHT, vjp_sqrt),
    UNARY_OP(TANH, "tanh", "tanh(%0)", BIND_TIGHT, vjp_tanh),
    UNARY_OP(RELU, "relu", "relu(%0)", BIND_TIGHT, vjp_relu),
    UNARY_OP(ABS, "abs", "abs(%0)", BIND_TIGHT, vjp_abs),
    UNARY_OP(ERF, "erf", "erf(%0)", BIND_TIGHT, vjp_erf),
    UNARY_OP(SIN, "sin", "sin(%0)", BIND_TIGHT, vjp_sin),
    UNARY_OP(COS, "cos", "cos(%0)", BIND_TIGHT, vjp_cos),
    UNARY_OP(SIGN, "sign", "sign(%0)", BIND_TIGHT, NULL),
    UNARY_OP(FLOOR, "floor", "floor(%0)", BIND_TIGHT, NULL),
    UNARY_OP(ROUND, "round", "round(%0)", BIND_TIGHT, NULL),
    UNARY_OP(NOT, "logical_not", "~%0", BIND_SIGN, NULL),

    BINARY_OP(ADD, ADD, "add", "%0 + %1", BIND_SUM, vjp_add),
    BINARY_OP(SUB, SUB, "sub", "%0 - %1", BIND_SUM, vjp_sub),
    BINARY_OP(MUL, MUL, "mul", "%0 * %1", BIND_PRODUCT, vjp_mul),
    BINARY_OP(DIV, DIV, "div", "%0 / %1", BIND_PRODUCT, vjp_div),
    BINARY_OP(POW, POW, "pow", "%0 ** %1", BIND_POWER, vjp_pow),
    BINARY_OP(MAXIMUM, MAX, "maximum", "maximum(%0, %1)", BIND_TIGHT, vjp_extreme),
    BINARY_OP(MINIMUM, MIN, "minimum", "minimum(%0, %1)", BIND_TIGHT, vjp_extreme),
    BINARY_OP(EQ, EQ, "eq", "%0 == %1", BIND_COMPARE, NULL),
    BINARY_OP(NE, NE, "ne", "%0 != %1", BIND_COMPARE, NULL),
    BINARY_OP(LT, LT, "lt", "%0 < %1", BIND_COMPARE, NULL),
    BINARY_OP(LE, LE, "le", "%0 <= %1", BIND_COMPARE, NULL),
    BINARY_OP(GT, GT, "gt", "%0 > %1", BIND_COMPARE, NULL),
    BINARY_OP(GE, GE, "ge", "%0 >= %1", BIND_COMPARE, NULL),
    BINARY_OP(AND, AND, "logical_and", "%0 & %1", BIND_AND, NULL),
    BINARY_OP(OR, OR, "logical_or", "%0 | %1", BIND_OR, NULL),

    [OP_WHERE] = {.kind = OP_WHERE,
                  .name = "where",
                  .form = "where(%0, %1, %2)",
                  .binding = BIND_TIGHT,
                  .forward = forward_where,
                  .relabel = relabel_broadcast,
                  .vjp = vjp_where,
                  .explain = explain_where},
    [OP_MASKED_FILL] = {.kind = OP_MASKED_FILL,
                        .name = "masked_fill",
                        .form = "%0.masked_fill(%1, %2)",
                        .binding = BIND_TIGHT,
                        .forward = forward_masked_fill,
                        .relabel = relabel_broadcast,
                        .vjp = vjp_masked_fill,
                        .explain = explain_masked_fill},
    [OP_HIDE] = {.kind = OP_HIDE,
                 .name = "where",
                 .form = "where(%1, %0, -inf)",
                 .binding = BIND_TIGHT,
                 .forward = forward_hide,
                 .relabel = relabel_broadcast,
                 .vjp = vjp_hide,
                 .explain = explain_hide},
    [OP_ADD_MASK] = {.kind = OP_ADD_MASK,
                     .name = "add",
                     .form = "%0 + %1",
                     .binding = BIND_SUM,
                     .code = BINARY_ADD,
                     .forward = forward_add_mask,
                     .relabel = relabel_broadcast,
                     .vjp = vjp_add_mask,
                     .explain = explain_form},

    [OP_MATMUL] = {.kind = OP_MATMUL,
                   .name = "matmul",
                   .form = "%0 @ %1",
                   .binding = BIND_PRODUCT,
                   .forward = forward_matmul,
                   .relabel = relabel_matmul,
                   .vjp = vjp_matmul,
                   .explain = explain_matmul},
    [OP_WEIGHTED_SUM] = {.kind = OP_WEIGHTED_SUM,
                         .name = "matmul",
                         .form = "%0 @ %1",
                         .binding = BIND_PRODUCT,
                         .forward = forward_weighted_sum,
                         .relabel = relabel_matmul,
                         .vjp = vjp_matmul,
                         .explain = explain_matmul},

    REDUCE_OP(SUM, "sum", vjp_sum),
    REDUCE_OP(MEAN, "mean", vjp_mean),
    REDUCE_OP(VAR, "var", vjp_var),
    REDUCE_OP(STD, "std", vjp_std),
    REDUCE_OP(MAX, "max", vjp_max),
    REDUCE_OP(MIN, "min", vjp_max),
    REDUCE_OP(ARGMAX, "argmax", NULL),
    REDUCE_OP(ARGMIN, "argmin", NULL),
    REDUCE_OP(ALL, "all", NULL),
    REDUCE_OP(ANY, "any", NULL),

    SOFTMAX_OP(SOFTMAX, "softmax", forward_softmax, vjp_softmax),
    SOFTMAX_OP(WEIGHTS, "softmax", forward_weights, vjp_weights),
    SOFTMAX_OP(LOG_SOFTMAX, "log_softmax", forward_log_softmax, vjp_log_softmax),

    MOVE_OP(RESHAPE, "reshape", reshape, relabel_reshape),
    MOVE_OP(PERMUTE, "permute", permute, relabel_permute),
    MOVE_OP(EXPAND, "expand", expand, relabel_broadcast),
    MOVE_OP(SLICE, "slice", slice, relabel_slice),
    MOVE_OP(UNSLICE, "unslice", unslice, NULL),
    MOVE_OP(CAT, "cat", cat, relabel_cat),
    MOVE_OP(TRIL, "tril", triangle, relabel_first),
    MOVE_OP(TRIU, "triu", triangle, relabel_first),
    [OP_TAKE] = {.kind = OP_TAKE,
                 .name = "take",
                 .form = "%0[%1]",
                 .binding = BIND_TIGHT,
                 .is_move = true,
                 .forward = forward_take,
                 .relabel = relabel_take,
                 .vjp = vjp_take,
                 .source = source_take},
    [OP_UNTAKE] = {.kind = OP_UNTAKE,
                   .name = "untake",
                   .form = "put_back(%0, %1)",
                   .binding = BIND_TIGHT,
                   .forward = forward_untake,
                   .vjp = vjp_untake,
                   .explain = explain_untake},
    [OP_SUM_TO] = {.kind = OP_SUM_TO,
                   .name = "sum_to",
                   .binding = BIND_TIGHT,
                   .forward = forward_sum_to,
                   .vjp = vjp_sum_to,
                   .explain = explain_sum_to,
                   .write = write_sum_to},
    [OP_TO_BOOL] = {.kind = OP_TO_BOOL,
                    .name = "bool",
                    .form = "bool(%0)",
                    .binding = BIND_TIGHT,
                    .forward = forward_to_bool,
                    .relabel = relabel_first,
                    .explain = explain_form},
    [OP_TO_FLOAT] = {.kind = OP_TO_FLOAT,
                     .name = "float",
                     .form = "%0.float()",
                     .binding = BIND_TIGHT,
                     .is_move = true,
                     .forward = forward_to_float,
                     .relabel = relabel_first,
                     .vjp = vjp_expand,
                     .source = source_same},
    [OP_DETACH] = {.kind = OP_DETACH,
                   .name = "detach",
                   .form = "%0.detach()",
                   .binding = BIND_TIGHT,
                   .is_move = true,
                   .forward = forward_detach,
                   .relabel = relabel_first,
                   .source = source_same},
    [OP_EDIT] = {.kind = OP_EDIT,
                 .name = "edit",
                 .binding = BIND_COMPARE,
                 .write = write_edit,
                 .forward = forward_edit,
                 .relabel = relabel_first,
                 .vjp = vjp_edit,
                 .explain = explain_edit},
};

const struct op *op_get(enum op_kind kind)
{
    return &ops[kind];
}
