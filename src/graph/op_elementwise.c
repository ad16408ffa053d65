/* Operations that work number by number. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops_internal.h"
#include "tensor/elementwise.h"

/* Writes the operation's spelling, with write() for each parent. */
static void write_terms(const struct node *node, const size_t *index, struct text *line,
                        struct explanation *explanation, bool numbers)
{
    for (const char *c = node->op->form; *c != '\0'; c++) {
        if (*c != '%') {
            text_char(line, *c);
            continue;
        }
        struct cell cell = broadcast_cell(node, (unsigned)(*++c - '0'), index);
        if (numbers)
            explain_value(explanation, line, cell);
        else
            explain_term(explanation, line, cell);
    }
}

static EXPLAIN(explain_form)
{
    struct text cells = {0}, numbers = {0};
    text_put(&cells, "= ");
    text_put(&numbers, "= ");
    write_terms(node, index, &cells, explanation, false);
    write_terms(node, index, &numbers, explanation, true);
    explain_line(explanation, &cells);
    if (strcmp(text_string(&cells), text_string(&numbers)) != 0)
        explain_line(explanation, &numbers);
    text_release(&cells);
    text_release(&numbers);
}

/* ---- one number to one number. Gradients: x is the parent, y the node, d the gradient of y ----
 */

static FORWARD(forward_unary)
{
    return tensor_unary((enum unary)node->op->code, &node->parents[0]->value, stop, ret, reterr);
}

static VJP(vjp_neg)
{
    (void)node;
    (void)which;
    return build1(builder, OP_NEG, d);
}

static VJP(vjp_exp)
{
    (void)which;
    return build2(builder, OP_MUL, d, node);
}

static VJP(vjp_log)
{
    return build2(builder, OP_DIV, d, node->parents[which]);
}

static VJP(vjp_sqrt)
{
    (void)which;
    return build2(builder, OP_DIV, d, build2(builder, OP_MUL, build_number(builder, 2), node));
}

static VJP(vjp_tanh)
{
    (void)which;
    struct node *square = build2(builder, OP_MUL, node, node);
    return build2(builder, OP_MUL, d, build2(builder, OP_SUB, build_number(builder, 1), square));
}

static VJP(vjp_relu)
{
    struct node *positive = build2(builder, OP_GT, node->parents[which], build_number(builder, 0));
    return build3(builder, OP_WHERE, positive, d, build_number(builder, 0));
}

static VJP(vjp_abs)
{
    return build2(builder, OP_MUL, d, build1(builder, OP_SIGN, node->parents[which]));
}

static VJP(vjp_erf)
{
    struct node *x = node->parents[which];
    struct node *bell =
        build1(builder, OP_EXP, build1(builder, OP_NEG, build2(builder, OP_MUL, x, x)));
    double two_over_root_pi = 1.1283791670955126;
    return build2(builder, OP_MUL, d,
                  build2(builder, OP_MUL, build_number(builder, two_over_root_pi), bell));
}

static VJP(vjp_sin)
{
    return build2(builder, OP_MUL, d, build1(builder, OP_COS, node->parents[which]));
}

static VJP(vjp_cos)
{
    struct node *sine = build1(builder, OP_SIN, node->parents[which]);
    return build1(builder, OP_NEG, build2(builder, OP_MUL, d, sine));
}

static FORWARD(forward_to_bool)
{
    struct tensor zero;
    if (!tensor_scalar(0, &zero, reterr))
        return false;
    bool ok = tensor_binary(BINARY_NE, &node->parents[0]->value, &zero, stop, ret, reterr);
    tensor_release(&zero);
    return ok;
}

/* ---- two numbers to one, with broadcasting ---- */

/* Says which operands do not fit, by their formulas and shapes. */
static bool shapes_do_not_fit(const struct node *node, struct error *reterr)
{
    struct text whole = {0}, sides[2] = {{0}, {0}};
    char shapes[2][TENSOR_SHAPE_TEXT];
    node_write_operation(node, &whole);
    for (unsigned p = 0; p < 2; p++) {
        node_write(node->parents[p], &sides[p]);
        tensor_shape_text(&node->parents[p]->value, shapes[p]);
    }
    error_set(reterr, ERR_SHAPE,
              "%s: the shapes do not fit: %s is %s, %s is %s. Axes align at the right, and each "
              "pair must be equal or have a 1",
              text_string(&whole), text_string(&sides[0]), shapes[0], text_string(&sides[1]),
              shapes[1]);
    text_release(&whole);
    text_release(&sides[0]);
    text_release(&sides[1]);
    return false;
}

static FORWARD(forward_binary)
{
    const struct tensor *a = &node->parents[0]->value, *b = &node->parents[1]->value;
    if (tensor_binary((enum binary)node->op->code, a, b, stop, ret, reterr))
        return true;
    return reterr != NULL && reterr->kind == ERR_SHAPE ? shapes_do_not_fit(node, reterr) : false;
}

static VJP(vjp_add)
{
    (void)builder;
    (void)node;
    (void)which;
    return d;
}

static VJP(vjp_sub)
{
    (void)node;
    return which == 0 ? d : build1(builder, OP_NEG, d);
}

static VJP(vjp_mul)
{
    return build2(builder, OP_MUL, d, node->parents[1 - which]);
}

static VJP(vjp_div)
{
    struct node *by = build2(builder, OP_DIV, d, node->parents[1]);
    return which == 0 ? by : build1(builder, OP_NEG, build2(builder, OP_MUL, by, node));
}

/* b a**(b-1), as short as it can be written when b was typed */
static struct node *power_slope(struct builder *builder, struct node *a, struct node *b)
{
    if (!node_is_constant(b) || b->name != NULL) {
        struct node *less = build2(builder, OP_SUB, b, build_number(builder, 1));
        return build2(builder, OP_MUL, b, build2(builder, OP_POW, a, less));
    }
    double exponent = (double)b->value.data[0];
    if (exponent == 2)
        return build2(builder, OP_MUL, b, a);
    return build2(builder, OP_MUL, b,
                  build2(builder, OP_POW, a, build_number(builder, exponent - 1)));
}

/* a**b: b a**(b-1) for a; a**b log(a) for b, and 0 where a is 0. */
static VJP(vjp_pow)
{
    struct node *a = node->parents[0], *b = node->parents[1];
    if (which == 0)
        return build2(builder, OP_MUL, d, power_slope(builder, a, b));
    struct node *at_zero = build2(builder, OP_EQ, a, build_number(builder, 0));
    struct node *slope = build2(builder, OP_MUL, node, build1(builder, OP_LOG, a));
    return build2(builder, OP_MUL, d,
                  build3(builder, OP_WHERE, at_zero, build_number(builder, 0), slope));
}

/* maximum and minimum: the gradient goes to the one that was taken, half to each of two equals. */
static VJP(vjp_extreme)
{
    struct node *x = node->parents[which], *other = node->parents[1 - which];
    struct node *taken = build1(builder, OP_TO_FLOAT, build2(builder, OP_EQ, x, node));
    struct node *equal = build1(builder, OP_TO_FLOAT, build2(builder, OP_EQ, x, other));
    struct node *shares = build2(builder, OP_ADD, equal, build_number(builder, 1));
    return build2(builder, OP_DIV, build2(builder, OP_MUL, d, taken), shares);
}

/* ---- choices, and masks of scores ---- */

/* "= scores[0, 1], as mask[0, 1] is False": a choice between two numbers by a third. */
static void explain_taken(struct explanation *explanation, struct cell condition, struct cell taken)
{
    struct text line = {0};
    text_put(&line, "= ");
    explain_term(explanation, &line, taken);
    text_put(&line, ", as ");
    explain_term(explanation, &line, condition);
    text_put(&line, " is ");
    explain_value(explanation, &line, condition);
    explain_line(explanation, &line);
    text_release(&line);
}

static FORWARD(forward_where)
{
    const struct tensor *parts[3];
    char shapes[3][TENSOR_SHAPE_TEXT];
    for (unsigned p = 0; p < 3; p++)
        parts[p] = &node->parents[p]->value;
    if (tensor_where(parts[0], parts[1], parts[2], stop, ret, reterr))
        return true;
    if (reterr != NULL && reterr->kind == ERR_SHAPE)
        error_set(reterr, ERR_SHAPE,
                  "where: the shapes do not fit: condition is %s, input is %s, other is %s. Axes "
                  "align at the right, and must be equal or have a 1",
                  tensor_shape_text(parts[0], shapes[0]), tensor_shape_text(parts[1], shapes[1]),
                  tensor_shape_text(parts[2], shapes[2]));
    return false;
}

static VJP(vjp_where)
{
    struct node *condition = node->parents[0], *zero = build_number(builder, 0);
    if (which == 0)
        return NULL;
    return which == 1 ? build3(builder, OP_WHERE, condition, d, zero)
                      : build3(builder, OP_WHERE, condition, zero, d);
}

static EXPLAIN(explain_where)
{
    struct cell condition = broadcast_cell(node, 0, index);
    unsigned taken = cell_value(condition) != 0 ? 1 : 2;
    explain_taken(explanation, condition, broadcast_cell(node, taken, index));
}

static FORWARD(forward_masked_fill)
{
    const struct tensor *x = &node->parents[0]->value, *mask = &node->parents[1]->value;
    const struct tensor *number = &node->parents[2]->value;
    if (number->n_axes != 0)
        return error_set(reterr, ERR_SHAPE,
                         "masked_fill: the value must be a single number, such as -inf");
    if (tensor_where(mask, number, x, stop, ret, reterr))
        return true;
    return reterr != NULL && reterr->kind == ERR_SHAPE ? shapes_do_not_fit(node, reterr) : false;
}

static VJP(vjp_masked_fill)
{
    struct node *mask = node->parents[1], *zero = build_number(builder, 0);
    if (which == 1)
        return NULL;
    return which == 0 ? build3(builder, OP_MASKED_FILL, d, mask, zero)
                      : build3(builder, OP_WHERE, mask, d, zero);
}

static EXPLAIN(explain_masked_fill)
{
    struct cell mask = broadcast_cell(node, 1, index);
    unsigned taken = cell_value(mask) != 0 ? 2 : 0;
    explain_taken(explanation, mask, broadcast_cell(node, taken, index));
}

static FORWARD(forward_hide)
{
    struct tensor hidden;
    if (!tensor_scalar(-INFINITY, &hidden, reterr))
        return false;
    const struct tensor *scores = &node->parents[0]->value, *may = &node->parents[1]->value;
    bool ok = tensor_where(may, scores, &hidden, stop, ret, reterr);
    tensor_release(&hidden);
    if (!ok && reterr != NULL && reterr->kind == ERR_SHAPE)
        shapes_do_not_fit(node, reterr);
    return ok;
}

static VJP(vjp_hide)
{
    if (which == 1)
        return NULL;
    return build3(builder, OP_WHERE, node->parents[1], d, build_number(builder, 0));
}

static EXPLAIN(explain_hide)
{
    struct cell may_attend = broadcast_cell(node, 1, index);
    if (cell_value(may_attend) != 0) {
        explain_taken(explanation, may_attend, broadcast_cell(node, 0, index));
        return;
    }
    struct text line = {0};
    text_put(&line, "= -inf: hidden, as ");
    explain_term(explanation, &line, may_attend);
    text_put(&line, " is False");
    explain_line(explanation, &line);
    text_release(&line);
}

/* scores + mask, but where mask is -inf the score has no influence, even when it is NaN. */
static FORWARD(forward_add_mask)
{
    struct tensor hidden = {0}, where = {0}, sum = {0};
    const struct tensor *mask = &node->parents[1]->value;
    bool ok = tensor_scalar(-INFINITY, &hidden, reterr) &&
              forward_binary(node, stop, &sum, reterr) &&
              tensor_binary(BINARY_EQ, mask, &hidden, stop, &where, reterr) &&
              tensor_where(&where, &hidden, &sum, stop, ret, reterr);
    tensor_release(&hidden);
    tensor_release(&where);
    tensor_release(&sum);
    return ok;
}

static VJP(vjp_add_mask)
{
    (void)which;
    struct node *hidden = build_number(builder, (double)-INFINITY);
    struct node *is_hidden = build2(builder, OP_EQ, node->parents[1], hidden);
    return build3(builder, OP_WHERE, is_hidden, build_number(builder, 0), d);
}

/* ---- the table ---- */

#define UNARY_OP(kind_, name_, form_, binding_, vjp_)                                           \
    {                                                                                           \
        .kind = OP_##kind_, .name = name_, .form = form_, .binding = binding_,                  \
        .code = UNARY_##kind_, .forward = forward_unary, .relabel = relabel_first, .vjp = vjp_, \
        .explain = explain_form                                                                 \
    }

#define BINARY_OP(kind_, code_, name_, form_, binding_, vjp_)                            \
    {                                                                                    \
        .kind = OP_##kind_, .name = name_, .form = form_, .binding = binding_,           \
        .code = BINARY_##code_, .forward = forward_binary, .relabel = relabel_broadcast, \
        .vjp = vjp_, .explain = explain_form                                             \
    }

static const struct op rows[] = {
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
    {.kind = OP_TO_BOOL,
     .name = "bool",
     .form = "bool(%0)",
     .binding = BIND_TIGHT,
     .forward = forward_to_bool,
     .relabel = relabel_first,
     .explain = explain_form},
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
    {.kind = OP_WHERE,
     .name = "where",
     .form = "where(%0, %1, %2)",
     .binding = BIND_TIGHT,
     .forward = forward_where,
     .relabel = relabel_broadcast,
     .vjp = vjp_where,
     .explain = explain_where},
    {.kind = OP_MASKED_FILL,
     .name = "masked_fill",
     .form = "%0.masked_fill(%1, %2)",
     .binding = BIND_TIGHT,
     .forward = forward_masked_fill,
     .relabel = relabel_broadcast,
     .vjp = vjp_masked_fill,
     .explain = explain_masked_fill},
    {.kind = OP_HIDE,
     .name = "where",
     .form = "where(%1, %0, -inf)",
     .binding = BIND_TIGHT,
     .forward = forward_hide,
     .relabel = relabel_broadcast,
     .vjp = vjp_hide,
     .explain = explain_hide},
    {.kind = OP_ADD_MASK,
     .name = "add",
     .form = "%0 + %1",
     .binding = BIND_SUM,
     .code = BINARY_ADD,
     .forward = forward_add_mask,
     .relabel = relabel_broadcast,
     .vjp = vjp_add_mask,
     .explain = explain_form},
};

OP_TABLE(op_elementwise, OP_NEG, OP_ADD_MASK);
