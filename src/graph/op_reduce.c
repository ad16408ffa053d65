/* Reductions over axes. */
#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "graph/ops_internal.h"
#include "show/number.h"
#include "tensor/matmul.h"
#include "tensor/reduce.h"

static bool has_correction(const struct node *node)
{
    return node->op->kind == OP_VAR || node->op->kind == OP_STD;
}

/* The reduced axes as bits. */
static unsigned axes_of(const struct node *node)
{
    unsigned axes = 0;
    for (size_t i = 0; i < node->args.n_ints - has_correction(node); i++)
        axes |= 1U << node->args.ints[i];
    return axes;
}

static ptrdiff_t correction_of(const struct node *node)
{
    return has_correction(node) ? node->args.ints[node->args.n_ints - 1] : 0;
}

static FORWARD(forward_reduce)
{
    const struct tensor *x = &node->parents[0]->value;
    if (x->n_axes == 0) {
        size_t one = 1;
        struct tensor vector;
        bool ok = tensor_reshape(x, 1, &one, &vector, reterr) &&
                  tensor_reduce((enum reduction)node->op->code, &vector, 0, false,
                                (double)correction_of(node), stop, ret, reterr);
        tensor_release(&vector);
        return ok;
    }
    return tensor_reduce((enum reduction)node->op->code, x, axes_of(node), node->args.number != 0,
                         (double)correction_of(node), stop, ret, reterr);
}

static RELABEL(relabel_reduce)
{
    (void)reterr;
    const struct node *x = node->parents[0];
    unsigned reduced = axes_of(node), next = 0;
    bool keep_axes = node->args.number != 0;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        if (!(reduced >> axis & 1U))
            label_axis(node, next++, x, axis);
        else
            next += keep_axes;
    return true;
}

/* y or its gradient with the reduced axes put back as axes of 1. */
static struct node *with_axes(struct builder *builder, const struct node *node, struct node *y)
{
    const struct tensor *x = &node->parents[0]->value;
    unsigned axes = axes_of(node);
    size_t shape[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        shape[axis] = axes >> axis & 1U ? 1 : x->shape[axis];
    return build_reshape(builder, y, x->n_axes, shape);
}

static struct node *expand_like(struct builder *builder, struct node *y, const struct node *x)
{
    ptrdiff_t shape[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        shape[axis] = (ptrdiff_t)x->value.shape[axis];
    return build_ints(builder, OP_EXPAND, y, x->value.n_axes, shape, 0);
}

static size_t group_size(const struct node *node)
{
    const struct tensor *x = &node->parents[0]->value;
    unsigned axes = axes_of(node);
    size_t size = 1;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        size *= axes >> axis & 1U ? x->shape[axis] : 1;
    return size;
}

static VJP(vjp_sum)
{
    return expand_like(builder, with_axes(builder, node, d), node->parents[which]);
}

static VJP(vjp_mean)
{
    struct node *share =
        build2(builder, OP_DIV, d, build_number(builder, (double)group_size(node)));
    return vjp_sum(builder, node, share, which);
}

/* x minus the mean of its group. */
static struct node *deviations(struct builder *builder, const struct node *node)
{
    struct node *x = node->parents[0];
    return build2(builder, OP_SUB, x, build_reduce(builder, OP_MEAN, x, axes_of(node), true, 0));
}

static VJP(vjp_var)
{
    (void)which;
    double divisor = (double)group_size(node) - (double)correction_of(node);
    struct node *slope =
        build2(builder, OP_MUL, build_number(builder, 2 / divisor), deviations(builder, node));
    return build2(builder, OP_MUL, with_axes(builder, node, d), slope);
}

static VJP(vjp_std)
{
    (void)which;
    double divisor = (double)group_size(node) - (double)correction_of(node);
    struct node *by = build2(builder, OP_MUL, build_number(builder, divisor), node);
    struct node *share = with_axes(builder, node, build2(builder, OP_DIV, d, by));
    return build2(builder, OP_MUL, share, deviations(builder, node));
}

/* The gradient goes to the extreme, in equal parts where several are equal. */
static VJP(vjp_max)
{
    struct node *x = node->parents[which];
    struct node *is_extreme =
        build1(builder, OP_TO_FLOAT, build2(builder, OP_EQ, x, with_axes(builder, node, node)));
    struct node *count = build_reduce(builder, OP_SUM, is_extreme, axes_of(node), true, 0);
    struct node *share = build2(builder, OP_DIV, with_axes(builder, node, d), count);
    return build2(builder, OP_MUL, share, is_extreme);
}

/* The numbers one cell was reduced from: those of x that agree with index on the other axes. */
struct group {
    struct node *x;
    size_t index[TENSOR_MAX_AXES];
    unsigned axes;
};

static struct group group_at(const struct node *node, const size_t *index)
{
    struct group group = {.x = node->parents[0], .axes = axes_of(node)};
    bool keep_axes = node->args.number != 0;
    unsigned next = 0;
    for (unsigned axis = 0; axis < group.x->value.n_axes; axis++) {
        bool reduced = group.axes >> axis & 1U;
        if (!reduced)
            group.index[axis] = index[next];
        next += !reduced || keep_axes;
    }
    return group;
}

static void group_term(const void *context, size_t i, struct cell ret_cells[2])
{
    struct group group = *(const struct group *)context;
    const struct tensor *x = &group.x->value;
    for (unsigned axis = x->n_axes; axis-- > 0;)
        if (group.axes >> axis & 1U) {
            group.index[axis] = i % x->shape[axis];
            i /= x->shape[axis];
        }
    ret_cells[0] = (struct cell){group.x, tensor_position_of(x, group.index)};
}

/* A sum, or for the mean the sum and the count it is divided by. */
static EXPLAIN(explain_total)
{
    struct group group = group_at(node, index);
    char ending[32];
    size_t n = group_size(node);
    snprintf(ending, sizeof ending, " / %zu", n);
    struct sum sum = {.n_terms = n,
                      .term = group_term,
                      .context = &group,
                      .ending = node->op->kind == OP_MEAN ? ending : NULL};
    explain_sum(explanation, &sum);
}

/* "the largest of 0.1, 0.2, 0.3" */
static void explain_list(struct explanation *explanation, const char *what,
                         const struct group *group, size_t n)
{
    struct text line = {0};
    text_format(&line, "= %s ", what);
    struct cell cells[2];
    for (size_t i = 0; i < n; i++) {
        bool elided = n > 8 && i >= 4 && i + 2 < n;
        if (elided && i == 4)
            text_format(&line, ", ... %zu more ...", n - 6);
        if (elided)
            continue;
        group_term(group, i, cells);
        char number[NUMBER_TEXT];
        text_put(&line, i ? ", " : "");
        text_put(&line, number_short(cell_value(cells[0]), explanation->digits, number));
        explanation_add_cell(explanation, cell_origin(cells[0]));
    }
    explain_line(explanation, &line);
    text_release(&line);
}

static EXPLAIN(explain_variance)
{
    struct group group = group_at(node, index);
    size_t n = group_size(node);
    double mean = 0, squares = 0;
    struct cell cells[2];
    for (size_t i = 0; i < n; i++) {
        group_term(&group, i, cells);
        mean += (double)cell_value(cells[0]) / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        group_term(&group, i, cells);
        squares += ((double)cell_value(cells[0]) - mean) * ((double)cell_value(cells[0]) - mean);
    }
    char text[2][NUMBER_TEXT];
    number_short((float)mean, explanation->digits, text[0]);
    number_short((float)squares, explanation->digits, text[1]);
    bool root = node->op->kind == OP_STD;
    explain_list(explanation, root ? "the spread of" : "the variance of", &group, n);
    explain_format(explanation, "= %ssum of (x - %s)^2 over %zu numbers / (%zu - %td)%s",
                   root ? "sqrt(" : "", text[0], n, n, correction_of(node), root ? ")" : "");
    explain_format(explanation, "= %s%s / %td%s", root ? "sqrt(" : "", text[1],
                   (ptrdiff_t)n - correction_of(node), root ? ")" : "");
}

/* Which of the group's numbers decided: the extreme, the first 0 of all(), the first other number
 * of any(). n when none did. */
static size_t deciding_term(const struct node *node, const size_t *index, const struct group *group,
                            size_t n)
{
    enum op_kind kind = node->op->kind;
    float result = tensor_at(&node->value, index);
    struct cell cells[2];
    if (kind == OP_ARGMAX || kind == OP_ARGMIN)
        return (size_t)result;
    for (size_t i = 0; i < n; i++) {
        group_term(group, i, cells);
        float x = cell_value(cells[0]);
        if (kind == OP_ALL ? x == 0 : kind == OP_ANY ? x != 0 : x == result || isnan(x))
            return i;
    }
    return n;
}

/* The numbers, then what decided among them, which may be one that the list leaves out: "= X[0,
 * 17]",
 * "= 17: the position of X[0, 17]", "= False: X[0, 17] is 0". */
static EXPLAIN(explain_choice)
{
    static const char *const choices[] = {
        [REDUCE_MAX] = "the largest of",
        [REDUCE_MIN] = "the smallest of",
        [REDUCE_ARGMAX] = "the position of the largest of",
        [REDUCE_ARGMIN] = "the position of the smallest of",
        [REDUCE_ALL] = "whether all are true:",
        [REDUCE_ANY] = "whether any is true:",
    };
    struct group group = group_at(node, index);
    enum op_kind kind = node->op->kind;
    size_t n = group_size(node), i = deciding_term(node, index, &group, n);
    struct text line = {0};
    struct cell cells[2];
    explain_list(explanation, choices[node->op->code], &group, n);
    text_put(&line, "= ");
    if (kind == OP_ARGMAX || kind == OP_ARGMIN)
        text_format(&line, "%zu: the position of ", i);
    else if (kind == OP_ALL || kind == OP_ANY)
        text_put(&line, (kind == OP_ANY) == (i < n) ? "True: " : "False: ");
    if (i < n) {
        group_term(&group, i, cells);
        explain_term(explanation, &line, cells[0]);
        text_put(&line, kind == OP_ALL ? " is 0" : kind == OP_ANY ? " is not 0" : "");
    } else {
        text_put(&line, kind == OP_ALL ? "none is 0" : "each is 0");
    }
    explain_line(explanation, &line);
    text_release(&line);
}

static WRITE(write_reduce)
{
    const struct tensor *x = &node->parents[0]->value;
    size_t n_axes = node->args.n_ints - has_correction(node);
    text_format(text, "%s(", node->op->name);
    formula_argument(node, 0, text, depth);
    if (n_axes == 1 && x->n_axes > 1) {
        ptrdiff_t axis = node->args.ints[0];
        text_format(text, ", dim=%td", axis + 1 == (ptrdiff_t)x->n_axes ? -1 : axis);
    } else if (n_axes < x->n_axes) {
        for (size_t i = 0; i < n_axes; i++)
            text_format(text, "%s%td", i ? ", " : ", dim=(", node->args.ints[i]);
        text_put(text, ")");
    }
    text_put(text, node->args.number != 0 ? ", keepdim=True" : "");
    if (has_correction(node) && correction_of(node) != 1)
        text_format(text, ", correction=%td", correction_of(node));
    text_char(text, ')');
}

/* ---- sum_to: the gradient of a broadcast ---- */

static FORWARD(forward_sum_to)
{
    size_t shape[TENSOR_MAX_AXES];
    for (size_t i = 0; i < node->args.n_ints; i++)
        shape[i] = (size_t)node->args.ints[i];
    return tensor_sum_to_shape(&node->parents[0]->value, (unsigned)node->args.n_ints, shape, stop,
                               ret, reterr);
}

static VJP(vjp_sum_to)
{
    return expand_like(builder, d, node->parents[which]);
}

/* Axes of x that a sum to the node's shape runs over, as a group. */
static struct group sum_to_group(const struct node *node, const size_t *index)
{
    struct group group = {.x = node->parents[0]};
    unsigned extra = group.x->value.n_axes - node->value.n_axes;
    for (unsigned axis = 0; axis < group.x->value.n_axes; axis++)
        if (axis < extra || node->value.shape[axis - extra] != group.x->value.shape[axis])
            group.axes |= 1U << axis;
        else
            group.index[axis] = index[axis - extra];
    return group;
}

static EXPLAIN(explain_sum_to)
{
    struct group group = sum_to_group(node, index);
    size_t n = 1;
    for (unsigned axis = 0; axis < group.x->value.n_axes; axis++)
        n *= group.axes >> axis & 1U ? group.x->value.shape[axis] : 1;
    struct sum sum = {.n_terms = n, .term = group_term, .context = &group};
    explain_sum(explanation, &sum);
}

static WRITE(write_sum_to)
{
    text_put(text, "sum_to(");
    formula_argument(node, 0, text, depth);
    for (size_t i = 0; i < node->args.n_ints; i++)
        text_format(text, ", %td", node->args.ints[i]);
    text_char(text, ')');
}

/* ---- the table ---- */

#define REDUCE_OP(kind_, name_, vjp_, explain_)                                                 \
    {                                                                                           \
        .kind = OP_##kind_, .name = name_, .binding = BIND_TIGHT, .code = REDUCE_##kind_,       \
        .forward = forward_reduce, .relabel = relabel_reduce, .vjp = vjp_, .explain = explain_, \
        .write = write_reduce                                                                   \
    }

static const struct op rows[] = {
    REDUCE_OP(SUM, "sum", vjp_sum, explain_total),
    REDUCE_OP(MEAN, "mean", vjp_mean, explain_total),
    REDUCE_OP(VAR, "var", vjp_var, explain_variance),
    REDUCE_OP(STD, "std", vjp_std, explain_variance),
    REDUCE_OP(MAX, "max", vjp_max, explain_choice),
    REDUCE_OP(MIN, "min", vjp_max, explain_choice),
    REDUCE_OP(ARGMAX, "argmax", NULL, explain_choice),
    REDUCE_OP(ARGMIN, "argmin", NULL, explain_choice),
    REDUCE_OP(ALL, "all", NULL, explain_choice),
    REDUCE_OP(ANY, "any", NULL, explain_choice),
    {.kind = OP_SUM_TO,
     .name = "sum_to",
     .binding = BIND_TIGHT,
     .forward = forward_sum_to,
     .vjp = vjp_sum_to,
     .explain = explain_sum_to,
     .write = write_sum_to},
};

OP_TABLE(op_reductions, OP_SUM, OP_SUM_TO);
