/* Layer norm and RMS norm of many rows: one node, and one for all gradients. Where somebody looks,
 * the steps of the row that is asked for are made. */
#include "attention/norm.h"

#include <stdint.h>

#include "graph/layers.h"
#include "graph/staged_internal.h"

enum {
    ROW_IDS = 32,   /* more than the nodes of one row's steps */
    BACK_IDS = 256, /* and of their gradients */
    KINDS = OP_LAYER_NORM_BACK - OP_LAYER_NORM,
};

static bool is_back(const struct node *node)
{
    return node->op->kind >= OP_LAYER_NORM_BACK;
}

/* The kind of the forward pass. */
static enum op_kind kind_of(const struct node *node)
{
    return (enum op_kind)(is_back(node) ? node->op->kind - KINDS : node->op->kind);
}

/* The norm of node, with these nodes in place of its parents. */
static struct norm_parts parts_of(const struct node *node, struct node *const *parents)
{
    const ptrdiff_t *has = node->args.ints;
    return (struct norm_parts){.x = parents[0],
                               .weight = has[NORM_WEIGHT] ? parents[1] : NULL,
                               .bias = has[NORM_BIAS] ? parents[1 + has[NORM_WEIGHT]] : NULL,
                               .n_axes = 1,
                               .eps = node->args.number};
}

static struct norm norm_of(const struct node *node)
{
    struct norm_parts parts = parts_of(node, node->parents);
    return (struct norm){.x = &parts.x->value,
                         .weight = parts.weight != NULL ? &parts.weight->value : NULL,
                         .bias = parts.bias != NULL ? &parts.bias->value : NULL,
                         .centred = kind_of(node) == OP_LAYER_NORM,
                         .eps = parts.eps};
}

static FORWARD(forward_norm)
{
    struct norm norm = norm_of(node);
    return norm_forward(&norm, stop, ret, reterr);
}

static FORWARD(forward_back)
{
    struct norm norm = norm_of(node);
    return norm_backward(&norm, &node->parents[node->n_parents - 1]->value, stop, ret, reterr);
}

/* Where the gradient of parent p begins among all of them. */
static size_t gradient_start(const struct node *node, unsigned p)
{
    size_t start = 0;
    for (unsigned i = 0; i < p; i++)
        start += tensor_size(&node->parents[i]->value);
    return start;
}

static VJP(vjp_norm)
{
    const struct tensor *parent = &node->parents[which]->value;
    enum op_kind kind = (enum op_kind)(node->op->kind + KINDS);
    struct node *own = build_slice(builder, staged_back_of(builder, node, kind, d), 0,
                                   gradient_start(node, which), tensor_size(parent));
    return build_reshape(builder, own, parent->n_axes, parent->shape);
}

/* The numbers of node, a gradient, by way of the steps, of nodes in place of its parents. */
static struct node *back_by_steps(struct builder *builder, const struct node *node,
                                  struct node *const *parents)
{
    struct norm_parts parts = parts_of(node, parents);
    struct node *flat[STAGED_MOST_PARENTS], *y = build_norm_steps(builder, kind_of(node), &parts);
    unsigned n = node->n_parents - 1;
    if (!staged_gradients(builder, y, parents[n], parents, n, flat))
        return NULL;
    for (unsigned p = 0; p < n; p++) {
        size_t size = tensor_size(&parents[p]->value);
        flat[p] = build_reshape(builder, flat[p], 1, &size);
    }
    return build_many(builder, OP_CAT, n, flat, 1, (ptrdiff_t[]){0});
}

/* No gradient depends on the bias. */
static bool is_bias(const struct node *node, unsigned p)
{
    const ptrdiff_t *has = node->args.ints;
    return has[NORM_BIAS] && p == 1 + (unsigned)has[NORM_WEIGHT];
}

static VJP(vjp_back)
{
    struct node *all[STAGED_MOST_PARENTS], *gradient;
    if (is_bias(node, which) || !staged_stand_in(builder, node, all))
        return NULL;
    struct node *back = back_by_steps(builder, node, all);
    return staged_gradients(builder, back, d, &all[which], 1, &gradient) ? gradient : NULL;
}

/* ---- why ---- */

static size_t row_size(const struct node *node)
{
    const struct tensor *x = &node->parents[0]->value;
    return x->shape[x->n_axes - 1];
}

/* The steps of one row, or of its gradients. */
static struct node *build_row(struct builder *builder, const struct node *node, size_t row)
{
    struct node *all[STAGED_MOST_PARENTS];
    const struct tensor *x = &node->parents[0]->value;
    size_t index[TENSOR_MAX_AXES];
    tensor_index_of(x, row * row_size(node), index);
    if (!staged_stand_in(builder, node, all))
        return NULL;
    all[0] = staged_row(builder, node->parents[0], x->n_axes - 1, index);
    if (is_back(node))
        all[node->n_parents - 1] =
            staged_row(builder, node->parents[node->n_parents - 1], x->n_axes - 1, index);
    if (builder->failed)
        return NULL;
    struct norm_parts parts = parts_of(node, all);
    return is_back(node) ? back_by_steps(builder, node, all)
                         : build_norm_steps(builder, kind_of(node), &parts);
}

static EXPLAIN(explain_norm)
{
    size_t position = tensor_position_of(&node->value, index), n = row_size(node);
    struct node *row = staged_answer(node, position / n, build_row);
    staged_explain(node, index, row, position % n, explanation);
}

static struct node *build_all(struct builder *builder, const struct node *node, size_t question)
{
    struct node *all[STAGED_MOST_PARENTS];
    (void)question;
    return staged_stand_in(builder, node, all) ? back_by_steps(builder, node, all) : NULL;
}

/* The gradient of a number of x has the steps of its row; those of weight and bias are sums over
 * all rows. */
static EXPLAIN(explain_back)
{
    size_t size = tensor_size(&node->parents[0]->value), n = row_size(node);
    if (index[0] < size)
        staged_lead_to(node, staged_answer(node, index[0] / n, build_row), index[0] % n,
                       explanation);
    else if (size <= STAGED_MOST_SHOWN)
        staged_lead_to(node, staged_answer(node, SIZE_MAX, build_all), index[0], explanation);
    else
        explain_format(explanation, "= a sum over %zu rows, too many to keep their steps",
                       size / n);
}

/* ---- spelling ---- */

static void write_arguments(const struct node *node, struct text *text, int depth)
{
    text_char(text, '(');
    formula_argument(node, 0, text, depth);
    text_format(text, ", (%zu,)", row_size(node));
    for (unsigned p = 1; p < node->n_parents; p++) {
        text_put(text, p == 1 && is_bias(node, p) ? ", bias=" : ", ");
        formula_argument(node, p, text, depth);
    }
    text_format(text, ", eps=%g)", node->args.number);
}

static WRITE(write_norm)
{
    text_put(text, node->op->name);
    write_arguments(node, text, depth);
}

/* ---- the table ---- */

#define NORM_OP(kind_, name_)                                                       \
    {                                                                               \
        .kind = OP_##kind_, .name = name_, .binding = BIND_TIGHT, .n_ids = ROW_IDS, \
        .forward = forward_norm, .relabel = relabel_first, .vjp = vjp_norm,         \
        .explain = explain_norm, .write = write_norm                                \
    }
#define NORM_BACK(kind_, name_)                                                               \
    {                                                                                         \
        .kind = OP_##kind_##_BACK, .name = name_ "_gradients", .binding = BIND_TIGHT,         \
        .n_ids = BACK_IDS, .forward = forward_back, .vjp = vjp_back, .explain = explain_back, \
        .write = write_norm                                                                   \
    }

static const struct op rows[] = {
    NORM_OP(LAYER_NORM, "layer_norm"),
    NORM_OP(RMS_NORM, "rms_norm"),
    NORM_BACK(LAYER_NORM, "layer_norm"),
    NORM_BACK(RMS_NORM, "rms_norm"),
};

OP_TABLE(op_norms, OP_LAYER_NORM, OP_RMS_NORM_BACK);
