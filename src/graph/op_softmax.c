/* Softmax along an axis, in its three forms. */
#include <math.h>

#include "attention/softmax.h"
#include "base/array.h"
#include "graph/ops_internal.h"
#include "show/number.h"

static FORWARD(forward_softmax)
{
    return softmax_forward(&node->parents[0]->value, node->args.ints[0], stop, ret, reterr);
}

static FORWARD(forward_weights)
{
    return softmax_weights(&node->parents[0]->value, node->args.ints[0], stop, ret, reterr);
}

static FORWARD(forward_log_softmax)
{
    return log_softmax_forward(&node->parents[0]->value, node->args.ints[0], stop, ret, reterr);
}

static struct node *sum_along(struct builder *builder, const struct node *node, struct node *x)
{
    if (node->value.n_axes == 0)
        return x;
    return build_reduce(builder, OP_SUM, x, 1U << node->args.ints[0], true, 0);
}

/* y (d - sum(d y)) */
static VJP(vjp_softmax)
{
    (void)which;
    struct node *total = sum_along(builder, node, build2(builder, OP_MUL, d, node));
    return build2(builder, OP_MUL, node, build2(builder, OP_SUB, d, total));
}

/* The same, with no influence of gradients that arrive at weights of 0. */
static VJP(vjp_weights)
{
    struct node *nothing = build_number(builder, 0);
    struct node *is_zero = build2(builder, OP_EQ, node, nothing);
    return vjp_softmax(builder, node, build3(builder, OP_WHERE, is_zero, nothing, d), which);
}

/* d - exp(y) sum(d) */
static VJP(vjp_log_softmax)
{
    (void)which;
    struct node *share =
        build2(builder, OP_MUL, build1(builder, OP_EXP, node), sum_along(builder, node, d));
    return build2(builder, OP_SUB, d, share);
}

/* The scores that one weight was made from. */
struct score_row {
    struct node *x;
    size_t index[TENSOR_MAX_AXES]; /* of the row's first score */
    unsigned axis;
    size_t n, own;       /* how many there are, and which one is the cell's */
    double largest, sum; /* of the scores, and of their exponentials */
};

static struct cell row_cell(const struct score_row *row, size_t i)
{
    size_t index[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < row->x->value.n_axes; axis++)
        index[axis] = axis == row->axis ? i : row->index[axis];
    return (struct cell){row->x, tensor_position_of(&row->x->value, index)};
}

static struct score_row row_of(const struct node *node, const size_t *index)
{
    struct score_row row = {.x = node->parents[0],
                            .axis = (unsigned)node->args.ints[0],
                            .n = 1,
                            .largest = (double)-INFINITY};
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        row.index[axis] = index[axis];
    if (node->value.n_axes > 0) {
        row.n = node->value.shape[row.axis];
        row.own = index[row.axis];
    }
    for (size_t i = 0; i < row.n; i++)
        row.largest = fmax(row.largest, (double)cell_value(row_cell(&row, i)));
    for (size_t i = 0; i < row.n; i++)
        row.sum += exp((double)cell_value(row_cell(&row, i)) - row.largest);
    return row;
}

/* Writes out the exponentials: all of a short row, else the first, the last and the own one. */
static void explain_exponentials(struct explanation *explanation, const struct score_row *row)
{
    char score[NUMBER_TEXT], largest[NUMBER_TEXT], power[NUMBER_TEXT];
    struct text line = {0};
    number_short((float)row->largest, explanation->digits, largest);
    size_t hidden = 0;
    for (size_t i = 0; i < row->n; i++) {
        struct cell cell = row_cell(row, i);
        if (row->n > 8 && i >= 3 && i + 2 < row->n && i != row->own) {
            hidden++;
            continue;
        }
        if (hidden > 0)
            explain_format(explanation, "    ... %zu more ...", hidden);
        hidden = 0;
        explanation_add_cell(explanation, cell_origin(cell));
        text_clear(&line);
        text_format(&line, "    exp(%s - %s%s%s) = %s",
                    number_short(cell_value(cell), explanation->digits, score),
                    row->largest < 0 ? "(" : "", largest, row->largest < 0 ? ")" : "",
                    number_short((float)exp((double)cell_value(cell) - row->largest),
                                 explanation->digits, power));
        if (i == row->own)
            text_put(&line, "   <- this one");
        explain_line(explanation, &line);
    }
    text_release(&line);
}

static void explain_quotient(struct explanation *explanation, const struct node *node,
                             const struct score_row *row)
{
    char own[NUMBER_TEXT], sum[NUMBER_TEXT];
    double power = exp((double)cell_value(row_cell(row, row->own)) - row->largest);
    number_short((float)power, explanation->digits, own);
    number_short((float)row->sum, explanation->digits, sum);
    explain_format(explanation, "    sum of all %zu: %s", row->n, sum);
    if (node->op->kind == OP_LOG_SOFTMAX)
        explain_format(explanation, "= log(%s / %s)", own, sum);
    else
        explain_format(explanation, "= %s / %s", own, sum);
}

static EXPLAIN(explain_softmax)
{
    struct score_row row = row_of(node, index);
    struct text line = {0};
    bool log_form = node->op->kind == OP_LOG_SOFTMAX;
    text_put(&line, log_form ? "= log(exp(" : "= exp(");
    explain_term(explanation, &line, row_cell(&row, row.own));
    text_format(&line, " - max) / sum of exp(x - max)%s, over %zu %s x", log_form ? ")" : "", row.n,
                row.n == 1 ? "score" : "scores");
    explain_line(explanation, &line);
    text_release(&line);
    if (row.largest == (double)-INFINITY) {
        for (size_t i = 0; i < row.n && i < 3; i++)
            explanation_add_cell(explanation, cell_origin(row_cell(&row, i)));
        explain_format(explanation,
                       node->op->kind == OP_WEIGHTS
                           ? "= 0: every score is -inf, so there is nothing to attend to"
                           : "= nan: every score is -inf, so the sum is 0 and 0 / 0 "
                             "has no value");
        return;
    }
    char largest[NUMBER_TEXT];
    number_short((float)row.largest, explanation->digits, largest);
    explain_format(explanation, "    max = %s, subtracted so that exp() can't overflow", largest);
    explain_exponentials(explanation, &row);
    explain_quotient(explanation, node, &row);
}

static WRITE(write_softmax)
{
    ptrdiff_t axis = node->args.ints[0];
    bool last = node->value.n_axes == 0 || axis + 1 == (ptrdiff_t)node->value.n_axes;
    text_format(text, "%s(", node->op->name);
    formula_argument(node, 0, text, depth);
    text_format(text, ", dim=%td)", last ? -1 : axis);
}

/* ---- the table ---- */

#define SOFTMAX_OP(kind_, name_, forward_, vjp_)                                                  \
    {                                                                                             \
        .kind = OP_##kind_, .name = name_, .binding = BIND_TIGHT, .forward = forward_,            \
        .relabel = relabel_first, .vjp = vjp_, .explain = explain_softmax, .write = write_softmax \
    }

static const struct op rows[] = {
    SOFTMAX_OP(SOFTMAX, "softmax", forward_softmax, vjp_softmax),
    SOFTMAX_OP(WEIGHTS, "softmax", forward_weights, vjp_weights),
    SOFTMAX_OP(LOG_SOFTMAX, "log_softmax", forward_log_softmax, vjp_log_softmax),
};

OP_TABLE(op_softmaxes, OP_SOFTMAX, OP_LOG_SOFTMAX);
