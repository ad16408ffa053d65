/* The cross-entropy of rows of scores, and its gradient. */
#include "attention/cross_entropy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/staged_internal.h"

enum { ROW_IDS = 16, BACK_IDS = 16 }; /* more than the nodes of one row */

static struct cross_entropy rows_of(const struct node *node)
{
    return (struct cross_entropy){.scores = &node->parents[0]->value,
                                  .targets = &node->parents[1]->value,
                                  .ignored = node->args.number};
}

static FORWARD(forward_losses)
{
    struct cross_entropy rows = rows_of(node);
    return cross_entropy_forward(&rows, stop, ret, reterr);
}

static FORWARD(forward_back)
{
    struct cross_entropy rows = rows_of(node);
    return cross_entropy_backward(&rows, &node->parents[2]->value, stop, ret, reterr);
}

static VJP(vjp_losses)
{
    return which == 0 ? staged_back_of(builder, node, OP_CROSS_ENTROPY_BACK, d) : NULL;
}

/* Row `row` as an index along the axes of the targets. */
static unsigned index_of_row(const struct node *node, size_t row, size_t *ret)
{
    const struct tensor *targets = &node->parents[1]->value;
    tensor_index_of(targets, row, ret);
    return targets->n_axes;
}

static struct cell target_of(const struct node *node, size_t row)
{
    return (struct cell){node->parents[1], row};
}

static bool is_left_out(const struct node *node, size_t row)
{
    return (double)cell_value(target_of(node, row)) == node->args.number;
}

static size_t row_of(const struct node *node, const size_t *index)
{
    return tensor_position_of(&node->parents[1]->value, index);
}

/* ---- why ---- */

static struct node *build_loss(struct builder *builder, const struct node *node, size_t row)
{
    size_t index[TENSOR_MAX_AXES], target = (size_t)cell_value(target_of(node, row));
    unsigned n_lead = index_of_row(node, row, index);
    struct node *scores = staged_row(builder, node->parents[0], n_lead, index);
    struct node *logs = build_ints(builder, OP_LOG_SOFTMAX, scores, 1, (ptrdiff_t[]){0}, 0);
    return logs != NULL ? build1(builder, OP_NEG, staged_row(builder, logs, 1, &target)) : NULL;
}

/* "2 is targets[0]": what the row should choose. */
static void explain_target(struct explanation *explanation, const char *before, struct cell target,
                           const char *after)
{
    struct text line = {0};
    text_put(&line, before);
    explain_term(explanation, &line, target);
    text_put(&line, after);
    explain_line(explanation, &line);
    text_release(&line);
}

static bool explained_as_left_out(const struct node *node, size_t row,
                                  struct explanation *explanation)
{
    char after[64];
    if (!is_left_out(node, row))
        return false;
    snprintf(after, sizeof after, " is %g, which is left out", node->args.number);
    explain_target(explanation, "= 0: ", target_of(node, row), after);
    return true;
}

static EXPLAIN(explain_losses)
{
    char before[64];
    size_t row = row_of(node, index);
    if (explained_as_left_out(node, row, explanation))
        return;
    staged_explain(node, index, staged_answer(node, row, build_loss), 0, explanation);
    snprintf(before, sizeof before, "    %g is ", (double)cell_value(target_of(node, row)));
    explain_target(explanation, before, target_of(node, row), "");
}

/* 1 where a class is its row's target, for n rows from `row` on, in the shape of scores. */
static struct node *one_hot(struct builder *builder, const struct node *node,
                            const struct node *scores, size_t row, size_t n)
{
    struct tensor made;
    size_t n_classes = scores->value.shape[scores->value.n_axes - 1];
    if (!tensor_zeros(scores->value.n_axes, scores->value.shape, &made, builder->reterr)) {
        builder->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        if (!is_left_out(node, row + i))
            made.data[i * n_classes + (size_t)cell_value(target_of(node, row + i))] = 1;
    return build_name(builder, build_input(builder, &made, "the class of each row"), "one_hot");
}

/* (softmax(scores) - one_hot) d */
static struct node *gradient(struct builder *builder, struct node *scores, struct node *chosen,
                             struct node *d)
{
    if (scores == NULL)
        return NULL;
    ptrdiff_t last = (ptrdiff_t)scores->value.n_axes - 1;
    struct node *weights = build_ints(builder, OP_SOFTMAX, scores, 1, &last, 0);
    return build2(builder, OP_MUL, build2(builder, OP_SUB, weights, chosen), d);
}

static struct node *build_gradient(struct builder *builder, const struct node *node, size_t row)
{
    size_t index[TENSOR_MAX_AXES];
    unsigned n_lead = index_of_row(node, row, index);
    struct node *scores = staged_row(builder, node->parents[0], n_lead, index);
    struct node *d = staged_row(builder, node->parents[2], n_lead, index);
    return scores != NULL ? gradient(builder, scores, one_hot(builder, node, scores, row, 1), d)
                          : NULL;
}

static EXPLAIN(explain_back)
{
    size_t row = row_of(node, index), last = index[node->value.n_axes - 1];
    if (!explained_as_left_out(node, row, explanation))
        staged_explain(node, index, staged_answer(node, row, build_gradient), last, explanation);
}

/* ---- the gradient of the gradient ---- */

/* d as a column, and 0 for rows that are left out. */
static struct node *counted(struct builder *builder, const struct node *node, struct node *d)
{
    size_t shape[TENSOR_MAX_AXES + 1];
    unsigned n = d->value.n_axes;
    memcpy(shape, d->value.shape, n * sizeof *shape);
    shape[n] = 1;
    struct node *left_out =
        build2(builder, OP_EQ, node->parents[1], build_number(builder, node->args.number));
    struct node *kept = build3(builder, OP_WHERE, left_out, build_number(builder, 0), d);
    return build_reshape(builder, kept, n + 1, shape);
}

static VJP(vjp_back)
{
    struct node *all[STAGED_MOST_PARENTS], *ret;
    if (which == 1 || !staged_stand_in(builder, node, all))
        return NULL;
    size_t n_rows = tensor_size(&all[1]->value);
    struct node *chosen = one_hot(builder, node, all[0], 0, n_rows);
    struct node *back = gradient(builder, all[0], chosen, counted(builder, node, all[2]));
    return staged_gradients(builder, back, d, &all[which], 1, &ret) ? ret : NULL;
}

/* ---- spelling ---- */

static void write_arguments(const struct node *node, struct text *text, int depth)
{
    for (unsigned p = 0; p < node->n_parents; p++) {
        text_put(text, p > 0 ? ", " : "(");
        formula_argument(node, p, text, depth);
    }
    if (!isnan(node->args.number))
        text_format(text, ", ignore_index=%g", node->args.number);
}

static WRITE(write_losses)
{
    text_put(text, "cross_entropy");
    write_arguments(node, text, depth);
    text_put(text, ", reduction=\"none\")");
}

static WRITE(write_back)
{
    text_put(text, "cross_entropy_gradient");
    write_arguments(node, text, depth);
    text_put(text, ")");
}

static RELABEL(relabel_losses)
{
    (void)reterr;
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        for (unsigned p = 0; p < 2; p++)
            label_axis(node, axis, node->parents[p], axis);
    return true;
}

/* ---- the table ---- */

static const struct op rows[] = {
    {.kind = OP_CROSS_ENTROPY,
     .name = "cross_entropy",
     .binding = BIND_TIGHT,
     .n_ids = ROW_IDS,
     .forward = forward_losses,
     .relabel = relabel_losses,
     .vjp = vjp_losses,
     .explain = explain_losses,
     .write = write_losses},
    {.kind = OP_CROSS_ENTROPY_BACK,
     .name = "cross_entropy_gradient",
     .binding = BIND_TIGHT,
     .n_ids = BACK_IDS,
     .forward = forward_back,
     .relabel = relabel_first,
     .vjp = vjp_back,
     .explain = explain_back,
     .write = write_back},
};

OP_TABLE(op_losses, OP_CROSS_ENTROPY, OP_CROSS_ENTROPY_BACK);
