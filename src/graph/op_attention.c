/* Attention as one node, and its gradients: what the kernels compute without keeping a stage. Where
 * somebody looks, the stages of the row that is asked for are made (window.h), or all of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attention/attention.h"
#include "graph/grad.h"
#include "graph/ops_internal.h"
#include "graph/stages.h"
#include "graph/window.h"
#include "show/number.h"

enum {
    MOST_PARENTS = 8,     /* query, key, value, mask, dropout, scale, softcap, d */
    ROW_IDS = 32,         /* more than the nodes of one row */
    BACK_IDS = 256,       /* more than the nodes of the stages and of their gradients */
    MOST_SHOWN = 1 << 22, /* numbers of a stage up to which gradients are opened to `why` */
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
    return attention_forward(&input, stop, ret, NULL, reterr);
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

static struct node *kept_answer(const struct node *node, size_t question)
{
    for (size_t i = 0; i < NODE_KEPT; i++)
        if (node->kept->answers[i].node != NULL && node->kept->answers[i].question == question)
            return node->kept->answers[i].node;
    return NULL;
}

/* Takes the answer over, in place of the oldest one. */
static struct node *keep_answer(const struct node *node, size_t question, struct node *answer)
{
    size_t place = node->kept->n % NODE_KEPT;
    if (answer == NULL)
        return NULL;
    node_free(node->kept->answers[place].node);
    node->kept->answers[place].question = question;
    node->kept->answers[place].node = answer;
    node->kept->n++;
    return answer;
}

/* The context made of its stages, of which the row that holds `index` is computed. The same stage
 * has the same id for every row. NULL without memory. */
static struct node *context_at(const struct node *node, const size_t *index)
{
    struct attention_parts parts = stages_parts(node, node->parents);
    struct window window = {.n_axes = node->value.n_axes};
    size_t along = node->value.shape[window.n_axes - 1], first[TENSOR_MAX_AXES] = {0};
    memcpy(window.index, index, (window.n_axes - 1) * sizeof *index);
    memcpy(first, window.index, sizeof first);
    size_t row = along > 0 ? tensor_position_of(&node->value, first) / along : 0;
    struct node *answer = kept_answer(node, row);
    if (answer != NULL)
        return answer;
    struct graph apart = {.last_id = node->id - ROW_IDS - 1};
    struct builder builder;
    struct error error;
    builder_init(&builder, &apart, &error);
    builder.window = &window;
    answer = builder_result(&builder, build_stages(&builder, &parts));
    builder_release(&builder);
    return keep_answer(node, row, answer);
}

static struct node *stages_attention(const struct node *node)
{
    size_t first[TENSOR_MAX_AXES] = {0};
    const struct node *context = context_at(node, first);
    return context != NULL ? context->parents[0] : NULL;
}

/* Says so where the node's number, summed in another order in float32, reads differently. */
static void explain_rounding(const struct node *node, float exact, const size_t *index,
                             struct explanation *explanation)
{
    char own[NUMBER_TEXT], sum[NUMBER_TEXT];
    number_short(tensor_at(&node->value, index), explanation->digits, own);
    number_short(exact, explanation->digits, sum);
    if (strcmp(own, sum) != 0)
        explain_format(explanation, "= %s exactly; %s as it is kept, from sums in float32", sum,
                       own);
}

static EXPLAIN(explain_attention)
{
    const struct node *context = context_at(node, index);
    if (context == NULL) {
        explanation->failed = true;
        return;
    }
    context->op->explain(context, index, explanation);
    explain_rounding(node, tensor_at(&context->value, index), index, explanation);
}

/* ---- gradients ---- */

/* Whether the gradient of parent p is among the numbers of OP_ATTENTION_BACK. */
static bool has_gradient(const struct node *node, unsigned p)
{
    return p < 3 || (p == 3 && node->args.ints[STAGES_MASK] && !node->parents[3]->value.is_bool);
}

/* Parents of OP_ATTENTION: those of OP_ATTENTION_BACK without d. */
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

static FORWARD(forward_back)
{
    struct attention_input input = input_of(node);
    const struct tensor *d = &node->parents[node->n_parents - 1]->value;
    struct attention_gradients gradients;
    size_t size = gradient_start(node, 4);
    if (!attention_backward(&input, d, stop, &gradients, reterr))
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

/* Whether made is the gradients of node for d. */
static bool is_back_of(const struct node *made, const struct node *node, const struct node *d)
{
    bool is = made->op->kind == OP_ATTENTION_BACK && made->n_parents == node->n_parents + 1 &&
              made->parents[node->n_parents] == d &&
              memcmp(made->args.ints, node->args.ints, node->args.n_ints * sizeof(ptrdiff_t)) == 0;
    for (unsigned p = 0; is && p < node->n_parents; p++)
        is = made->parents[p] == node->parents[p];
    return is;
}

/* The gradients of all parents at once: made for the first one that asks. */
static struct node *back_of(struct builder *builder, const struct node *node, struct node *d)
{
    struct node *all[MOST_PARENTS];
    for (size_t i = builder->n_made; d != NULL && i-- > 0;)
        if (is_back_of(builder->made[i], node, d))
            return builder->made[i];
    memcpy(all, node->parents, node->n_parents * sizeof(*all));
    all[node->n_parents] = d;
    return build_many(builder, OP_ATTENTION_BACK, node->n_parents + 1, all, node->args.n_ints,
                      node->args.ints);
}

/* Nodes that stand for the parents, so that a way back ends at them: each parent apart, also where
 * one is two of them or was made from another. */
static bool stand_in(struct builder *builder, const struct node *node,
                     struct node *ret[MOST_PARENTS])
{
    bool ok = true;
    for (unsigned p = 0; ok && p < node->n_parents; p++) {
        const struct tensor *x = &node->parents[p]->value;
        ret[p] = build_reshape(builder, node->parents[p], x->n_axes, x->shape);
        ok = ret[p] != NULL;
    }
    return ok;
}

/* The gradients of sum(node * d) for n of the nodes that it was made from. */
static bool gradients_for(struct builder *builder, struct node *node, struct node *d,
                          struct node *const *wrt, unsigned n, struct node **ret)
{
    builder->failed = builder->failed || node == NULL || d == NULL ||
                      !graph_back(builder->graph, node, d, wrt, n, ret, builder->reterr);
    bool made = !builder->failed;
    for (unsigned i = 0; made && i < n; i++)
        (void)builder_keep(builder, ret[i]);
    return !builder->failed;
}

/* Whether any gradient flows to parent p: none does to factors of dropout or a mask of bools. */
static bool is_flat(const struct node *node, unsigned p)
{
    bool mask = node->args.ints[STAGES_MASK] != 0, dropout = node->args.ints[STAGES_DROPOUT] != 0;
    return p < count_parents(node) && ((mask && p == 3 && node->parents[3]->value.is_bool) ||
                                       (dropout && p == 3 + (unsigned)mask));
}

/* The numbers of scale and softcap have a gradient too, by way of the stages. */
static struct node *number_gradient(struct builder *builder, const struct node *node,
                                    struct node *d, unsigned which)
{
    struct node *all[MOST_PARENTS], *gradient;
    if (!stand_in(builder, node, all))
        return NULL;
    struct attention_parts parts = stages_parts(node, all);
    struct node *context = build_stages(builder, &parts);
    return gradients_for(builder, context, d, &all[which], 1, &gradient) ? gradient : NULL;
}

static VJP(vjp_attention)
{
    if (is_flat(node, which))
        return NULL;
    if (!has_gradient(node, which))
        return number_gradient(builder, node, d, which);
    const struct tensor *parent = &node->parents[which]->value;
    struct node *own = build_slice(builder, back_of(builder, node, d), 0,
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
    if (!gradients_for(builder, build_stages(builder, &parts), parents[node->n_parents - 1],
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
    struct node *all[MOST_PARENTS], *gradient;
    if (is_flat(node, which) || !stand_in(builder, node, all))
        return NULL;
    struct node *back = back_by_stages(builder, node, all);
    return gradients_for(builder, back, d, &all[which], 1, &gradient) ? gradient : NULL;
}

static struct node *answer_by_stages(const struct node *node)
{
    struct graph apart = {.last_id = node->id - BACK_IDS - 1, .stop = node->kept->stop};
    struct node *all[MOST_PARENTS], *answer = NULL;
    struct builder builder;
    struct error error;
    builder_init(&builder, &apart, &error);
    if (stand_in(&builder, node, all))
        answer = builder_result(&builder, back_by_stages(&builder, node, all));
    builder_release(&builder);
    return keep_answer(node, 0, answer);
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
    if (stage_size(node) > MOST_SHOWN) {
        explain_format(explanation, "= one of the gradients that one pass over all rows gives; the "
                                    "stages on");
        explain_format(explanation, "  the way have %zu numbers each, too many to keep",
                       stage_size(node));
        return;
    }
    struct node *whole = kept_answer(node, 0);
    if (whole == NULL)
        whole = answer_by_stages(node);
    if (whole == NULL) {
        explanation->stopped = node->kept->stop != NULL && *node->kept->stop;
        explanation->failed = !explanation->stopped;
        return;
    }
    struct text line = {0};
    text_put(&line, "= ");
    explain_term(explanation, &line, (struct cell){whole, index[0]});
    explain_line(explanation, &line);
    text_release(&line);
}

static WRITE(write_back)
{
    text_put(text, "attention_gradients(");
    for (unsigned p = 0; p < node->n_parents; p++) {
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
