/* Attention as one node, and its gradients: what the kernels compute without keeping a stage. Where
 * somebody looks, the stages of the row that is asked for are made (window_internal.h), or all of
 * them. */
#include <string.h>

#include "attention/attention.h"
#include "graph/staged_internal.h"
#include "graph/stages.h"
#include "graph/window_internal.h"

enum {
    ROW_IDS = 32,   /* more than the nodes of one row */
    BACK_IDS = 256, /* more than the nodes of the stages and of their gradients */
};

static double number_of(const struct node *node)
{
    return (double)node->value.data[0];
}

static struct attention_input input_of(const struct node *node)
{
    struct attention_parts parts = stages_parts(node, node->parents);
    struct attention_input input = {.query = &parts.query->value,
                                    .key = &parts.key->value,
                                    .value = &parts.value->value,
                                    .causal = parts.is_causal,
                                    .grouped_query = parts.enable_gqa};
    if (parts.attn_mask != NULL) {
        input.mask = &parts.attn_mask->value;
        input.mask_kind = input.mask->is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE;
    }
    if (parts.dropout != NULL)
        input.dropout = &parts.dropout->value;
    if (parts.scale != NULL) {
        input.has_scale = true;
        input.scale = number_of(parts.scale);
    }
    if (parts.softcap != NULL)
        input.softcap = number_of(parts.softcap);
    return input;
}

static FORWARD(forward_attention)
{
    struct attention_input input = input_of(node);
    return attention_forward_saving(&input, stop, ret, &node->kept->saved, reterr);
}

/* Rows as the query, columns as the value; leading axes as the first that names them. */
static RELABEL(relabel_attention)
{
    (void)reterr;
    unsigned n = node->value.n_axes;
    for (unsigned p = 0; p < 3; p++) {
        const struct node *parent = node->parents[p];
        unsigned missing = n - parent->value.n_axes;
        for (unsigned axis = 0; axis + 2 < parent->value.n_axes; axis++)
            label_axis(node, axis + missing, parent, axis);
    }
    label_axis(node, n - 2, node->parents[0], node->parents[0]->value.n_axes - 2);
    label_axis(node, n - 1, node->parents[2], node->parents[2]->value.n_axes - 1);
    return true;
}

/* As the last of the stages reads. */
static WRITE(write_attention)
{
    text_put(text, node->args.ints[STAGES_DROPOUT] ? "dropped @ " : "weights @ ");
    formula_parent(node, 2, text, depth);
}

/* ---- what is made when asked ---- */

static size_t row_of(const struct node *node, const size_t *index)
{
    size_t first[TENSOR_MAX_AXES] = {0}, along = node->value.shape[node->value.n_axes - 1];
    memcpy(first, index, (node->value.n_axes - 1) * sizeof *index);
    return along > 0 ? tensor_position_of(&node->value, first) / along : 0;
}

/* The context made of its stages, of which one row is computed. The same stage has the same id for
 * every row. */
static struct node *build_row(struct builder *builder, const struct node *node, size_t row)
{
    struct attention_parts parts = stages_parts(node, node->parents);
    struct window window = {.n_axes = node->value.n_axes};
    size_t along = node->value.shape[window.n_axes - 1];
    if (along > 0)
        tensor_index_of(&node->value, row * along, window.index);
    builder->graph->stop = NULL; /* it is soon done, and what was stopped may be asked about */
    builder->window = &window;
    struct node *context = build_stages(builder, &parts);
    builder->window = NULL;
    return context;
}

static struct node *stages_attention(const struct node *node)
{
    const struct node *context = staged_answer(node, 0, build_row);
    return context != NULL ? context->parents[0] : NULL;
}

static EXPLAIN(explain_attention)
{
    const struct node *context = staged_answer(node, row_of(node, index), build_row);
    staged_explain(node, index, context, tensor_position_of(&node->value, index), explanation);
}

/* ---- gradients ---- */

/* Whether the gradient of parent p is among the numbers of OP_ATTENTION_BACK. */
static bool has_gradient(const struct node *node, unsigned p)
{
    return p < 3 || (p == 3 && node->args.ints[STAGES_MASK] && !node->parents[3]->value.is_bool);
}

/* Parents of OP_ATTENTION. OP_ATTENTION_BACK has these, then the OP_ATTENTION itself where it has
 * saved something, then d. */
static unsigned count_parents(const struct node *node)
{
    unsigned n = 3;
    for (int has = STAGES_MASK; has <= STAGES_SOFTCAP; has++)
        n += node->args.ints[has] != 0;
    return n;
}

/* Where the gradient of parent p begins; for a p that has none, how many numbers there are. */
static size_t gradient_start(const struct node *node, unsigned p)
{
    size_t start = 0;
    for (unsigned i = 0; i < p; i++)
        start += has_gradient(node, i) ? tensor_size(&node->parents[i]->value) : 0;
    return start;
}

/* The OP_ATTENTION whose gradients node, an OP_ATTENTION_BACK, is; NULL where it saved nothing, or
 * where it was made of other parents, as nodes that stand for them. */
static const struct node *way_forward(const struct node *node)
{
    unsigned n = count_parents(node);
    const struct node *context = node->parents[n];
    bool is_it = node->n_parents == n + 2 && context->op->kind == OP_ATTENTION &&
                 context->kept->saved.data != NULL;
    for (unsigned p = 0; is_it && p < n; p++)
        is_it = context->parents[p] == node->parents[p];
    return is_it ? context : NULL;
}

static bool go_back(const struct node *node, const volatile sig_atomic_t *stop,
                    struct attention_gradients *ret, struct error *reterr)
{
    struct attention_input input = input_of(node);
    const struct tensor *d = &node->parents[node->n_parents - 1]->value;
    const struct node *context = way_forward(node);
    return context != NULL ? attention_backward_saved(&input, &context->value,
                                                      &context->kept->saved, d, stop, ret, reterr)
                           : attention_backward(&input, d, stop, ret, reterr);
}

static FORWARD(forward_back)
{
    struct attention_gradients gradients;
    size_t size = gradient_start(node, 4);
    if (!go_back(node, stop, &gradients, reterr))
        return false;
    const struct tensor *const all[] = {&gradients.query, &gradients.key, &gradients.value,
                                        &gradients.mask};
    bool ok = tensor_empty(1, &size, ret, reterr);
    for (unsigned p = 0; ok && p < COUNT_OF(all); p++)
        if (has_gradient(node, p))
            tensor_read(all[p], ret->data + gradient_start(node, p));
    attention_gradients_release(&gradients);
    return ok;
}

/* Whether any gradient flows to parent p: none does to factors of dropout, to a mask of bools, or
 * to the forward pass, which is made of the same parents. */
static bool is_flat(const struct node *node, unsigned p)
{
    if (p == count_parents(node) && p + 1 < node->n_parents)
        return true;
    bool mask = node->args.ints[STAGES_MASK] != 0, dropout = node->args.ints[STAGES_DROPOUT] != 0;
    return p < count_parents(node) && ((mask && p == 3 && node->parents[3]->value.is_bool) ||
                                       (dropout && p == 3 + (unsigned)mask));
}

/* The numbers of scale and softcap have a gradient too, by way of the stages. */
static struct node *number_gradient(struct builder *builder, const struct node *node,
                                    struct node *d, unsigned which)
{
    struct node *all[STAGED_MOST_PARENTS], *gradient;
    if (!staged_stand_in(builder, node, all))
        return NULL;
    struct attention_parts parts = stages_parts(node, all);
    struct node *context = build_stages(builder, &parts);
    return staged_gradients(builder, context, d, &all[which], 1, &gradient) ? gradient : NULL;
}

static VJP(vjp_attention)
{
    if (is_flat(node, which))
        return NULL;
    if (!has_gradient(node, which))
        return number_gradient(builder, node, d, which);
    const struct tensor *parent = &node->parents[which]->value;
    struct node *own = build_slice(builder, staged_back_of(builder, node, OP_ATTENTION_BACK, d), 0,
                                   gradient_start(node, which), tensor_size(parent));
    return build_reshape(builder, own, parent->n_axes, parent->shape);
}

/* The numbers of node, an OP_ATTENTION_BACK, by way of the stages, of nodes in place of its
 * parents. */
static struct node *back_by_stages(struct builder *builder, const struct node *node,
                                   struct node *const *parents)
{
    struct attention_parts parts = stages_parts(node, parents);
    struct node *flat[4];
    unsigned n = has_gradient(node, 3) ? 4 : 3;
    if (!staged_gradients(builder, build_stages(builder, &parts), parents[node->n_parents - 1],
                          parents, n, flat))
        return NULL;
    for (unsigned p = 0; p < n; p++) {
        size_t size = tensor_size(&parents[p]->value);
        flat[p] = build_reshape(builder, flat[p], 1, &size);
    }
    return build_many(builder, OP_CAT, n, flat, 1, (ptrdiff_t[]){0});
}

/* A second derivative: rare, so it may hold all stages. */
static VJP(vjp_back)
{
    struct node *all[STAGED_MOST_PARENTS], *gradient;
    if (is_flat(node, which) || !staged_stand_in(builder, node, all))
        return NULL;
    struct node *back = back_by_stages(builder, node, all);
    return staged_gradients(builder, back, d, &all[which], 1, &gradient) ? gradient : NULL;
}

static struct node *build_back(struct builder *builder, const struct node *node, size_t question)
{
    struct node *all[STAGED_MOST_PARENTS];
    (void)question;
    return staged_stand_in(builder, node, all) ? back_by_stages(builder, node, all) : NULL;
}

/* How many numbers a stage such as the scores has. */
static size_t stage_size(const struct node *node)
{
    const struct tensor *value = &node->parents[2]->value;
    size_t n_cols = value->shape[value->n_axes - 1];
    size_t n = tensor_size(&node->parents[node->n_parents - 1]->value);
    return n_cols > 0 ? n / n_cols * value->shape[value->n_axes - 2] : 0;
}

/* Down to the stages' gradients where they are small enough to be made. */
static EXPLAIN(explain_back)
{
    if (stage_size(node) > STAGED_MOST_SHOWN) {
        explain_format(explanation, "= one of the gradients that one pass over all rows gives; the "
                                    "stages on");
        explain_format(explanation, "  the way have %zu numbers each, too many to keep",
                       stage_size(node));
        return;
    }
    staged_lead_to(node, staged_answer(node, 0, build_back), index[0], explanation);
}

static WRITE(write_back)
{
    text_put(text, "attention_gradients(");
    for (unsigned p = 0; p < node->n_parents; p++) {
        if (p >= count_parents(node) && p + 1 < node->n_parents)
            continue; /* the forward pass */
        text_put(text, p > 0 ? ", " : "");
        formula_argument(node, p, text, depth);
    }
    text_put(text, ")");
}

/* ---- the table ---- */

static const struct op rows[] = {
    {.kind = OP_ATTENTION,
     .name = "attention",
     .binding = BIND_PRODUCT,
     .n_ids = ROW_IDS,
     .forward = forward_attention,
     .relabel = relabel_attention,
     .vjp = vjp_attention,
     .explain = explain_attention,
     .stages = stages_attention,
     .write = write_attention},
    {.kind = OP_ATTENTION_BACK,
     .name = "attention_gradients",
     .binding = BIND_TIGHT,
     .n_ids = BACK_IDS,
     .forward = forward_back,
     .vjp = vjp_back,
     .explain = explain_back,
     .write = write_back},
};

OP_TABLE(op_attentions, OP_ATTENTION, OP_ATTENTION_BACK);
