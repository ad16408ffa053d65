/* Attention's stages: see stages.h. */
#include "graph/stages.h"

#include <math.h>
#include <string.h>

#include "attention/mask.h"
#include "graph/node.h"
#include "graph/window_internal.h"
#include "kernel/kernel.h"

/* key or value repeated so that each query head finds its own. */
static struct node *for_query_heads(struct builder *b, const struct attention_parts *parts,
                                    struct node *x)
{
    if (x == NULL || !parts->enable_gqa || x->value.n_axes < 3 || parts->query->value.n_axes < 3)
        return x;
    unsigned axis = x->value.n_axes - 3;
    size_t wanted = parts->query->value.shape[parts->query->value.n_axes - 3];
    size_t own = x->value.shape[axis];
    if (own == 0 || wanted == own)
        return x;
    if (wanted % own != 0) {
        error_set(b->reterr, ERR_SHAPE,
                  "attention: %zu query heads can't share %zu key and value heads evenly", wanted,
                  own);
        b->failed = true;
        return NULL;
    }
    return build_repeat(b, x, wanted / own, axis);
}

static struct node *scaled_scores(struct builder *b, const struct attention_parts *parts,
                                  struct node *scores)
{
    const struct tensor *query = &parts->query->value;
    if (parts->scale != NULL)
        return build2(b, OP_MUL, scores, parts->scale);
    double d_k = query->n_axes > 0 ? (double)query->shape[query->n_axes - 1] : 1;
    return build2(b, OP_DIV, scores, build1(b, OP_SQRT, build_number(b, d_k)));
}

/* For the last two axes of scores; where only a row of them is there, only that row. */
static struct node *causal_mask(struct builder *b, const struct node *scores)
{
    const struct window *window = b->window;
    const size_t *shape = scores->value.shape + scores->value.n_axes - 2;
    ptrdiff_t row = window != NULL ? (ptrdiff_t)window->index[window->n_axes - 2] : 0;
    struct tensor mask;
    if (!mask_causal(window != NULL ? 1 : shape[0], shape[1], row, MASK_MAY_ATTEND, &mask,
                     b->reterr)) {
        b->failed = true;
        return NULL;
    }
    if (window != NULL)
        window_spread(&mask, 2, shape);
    struct node *node = build_input(b, &mask, "causal_mask");
    for (unsigned axis = 0; node != NULL && axis < 2; axis++)
        node_set_labels(node, axis, scores->labels[scores->value.n_axes - 2 + axis]);
    return node;
}

static struct node *masked_scores(struct builder *b, const struct attention_parts *parts,
                                  struct node *scores)
{
    struct node *mask = parts->attn_mask;
    if (mask != NULL)
        scores = build2(b, mask->value.is_bool ? OP_HIDE : OP_ADD_MASK, scores, mask);
    if (parts->is_causal && scores != NULL && scores->value.n_axes >= 2)
        scores = build2(b, OP_HIDE, scores, causal_mask(b, scores));
    return scores;
}

static bool check_axes(struct builder *b, const struct node *x, const char *what)
{
    if (x->value.n_axes >= 2)
        return true;
    char shape[TENSOR_SHAPE_TEXT];
    b->failed = true;
    return error_set(b->reterr, ERR_SHAPE,
                     "attention: %s must be a matrix or more, (..., n, d), and this is %s", what,
                     tensor_shape_text(&x->value, shape));
}

/* Axis `from_last` (1: the last) of two parts must have equal sizes, for the reason given. */
static bool check_sizes(struct builder *b, const struct node *const *pair, const char *const *names,
                        unsigned from_last, const char *reason)
{
    const struct tensor *x = &pair[0]->value, *y = &pair[1]->value;
    char shapes[2][TENSOR_SHAPE_TEXT];
    size_t left = x->shape[x->n_axes - from_last], right = y->shape[y->n_axes - from_last];
    if (left == right)
        return true;
    b->failed = true;
    return error_set(b->reterr, ERR_SHAPE, "attention: %s is %s, %s is %s: %s: %zu against %zu",
                     names[0], tensor_shape_text(x, shapes[0]), names[1],
                     tensor_shape_text(y, shapes[1]), reason, left, right);
}

static bool check_query_key(struct builder *b, const struct attention_parts *parts)
{
    return check_axes(b, parts->query, "query") && check_axes(b, parts->key, "key") &&
           check_sizes(b, (const struct node *const[]){parts->query, parts->key},
                       (const char *const[]){"query", "key"}, 1,
                       "a query meets a key number by number, so their last sizes must be equal");
}

static bool check_key_value(struct builder *b, const struct attention_parts *parts)
{
    return check_axes(b, parts->key, "key") && check_axes(b, parts->value, "value") &&
           check_sizes(b, (const struct node *const[]){parts->key, parts->value},
                       (const char *const[]){"key", "value"}, 2,
                       "each key stands for one value, so they need equally many rows");
}

struct node *build_weights(struct builder *b, const struct attention_parts *parts)
{
    if (parts->query == NULL || parts->key == NULL ||
        (parts->value != NULL && !check_key_value(b, parts)) || !check_query_key(b, parts))
        return NULL;
    struct node *key = for_query_heads(b, parts, parts->key);
    if (key == NULL)
        return NULL;
    struct node *key_t = build_transpose(b, key, key->value.n_axes - 2, key->value.n_axes - 1);
    struct node *scores = build_name(b, build2(b, OP_MATMUL, parts->query, key_t), "scores");
    struct node *stage = build_name(b, scaled_scores(b, parts, scores), "scaled");
    if (parts->softcap != NULL) { /* c tanh(scores / c) */
        struct node *cap = parts->softcap;
        struct node *share = build1(b, OP_TANH, build2(b, OP_DIV, stage, cap));
        stage = build_name(b, build2(b, OP_MUL, cap, share), "capped");
    }
    struct node *masked = masked_scores(b, parts, stage);
    if (masked != stage)
        stage = build_name(b, masked, "masked");
    if (stage == NULL)
        return NULL;
    ptrdiff_t last = (ptrdiff_t)stage->value.n_axes - 1;
    return build_name(b, build_ints(b, OP_WEIGHTS, stage, 1, &last, 0), "weights");
}

struct node *build_dropped(struct builder *b, const struct attention_parts *parts,
                           struct node *weights)
{
    if (parts->dropout == NULL)
        return weights;
    return build_name(b, build2(b, OP_MUL, weights, parts->dropout), "dropped");
}

struct node *build_context(struct builder *b, const struct attention_parts *parts,
                           struct node *weights)
{
    return build2(b, OP_WEIGHTED_SUM, weights, for_query_heads(b, parts, parts->value));
}

/* ---- attention in one node ---- */

/* Whether key and value heads are shared: it is asked for, and there are heads. */
static bool is_grouped(const struct attention_parts *parts)
{
    return parts->enable_gqa && parts->query->value.n_axes >= 3;
}

/* The axes of x before the last two; those of heads that are shared count as 1. false where they
 * can't be shared evenly. */
static bool leading_axes(const struct attention_parts *parts, const struct tensor *x,
                         struct tensor *ret)
{
    const struct tensor *query = &parts->query->value;
    *ret = (struct tensor){.n_axes = x->n_axes - 2};
    memcpy(ret->shape, x->shape, ret->n_axes * sizeof *ret->shape);
    if (!is_grouped(parts))
        return true;
    if (x->n_axes < 3)
        return false;
    size_t wanted = query->shape[query->n_axes - 3], own = ret->shape[ret->n_axes - 1];
    ret->shape[ret->n_axes - 1] = 1;
    return own > 0 && wanted % own == 0;
}

/* *ret = the shape of the scores, and of what the value would make of them: they must be equal. */
static bool scores_shape(const struct attention_parts *parts, struct tensor *ret)
{
    const struct tensor *query = &parts->query->value, *key = &parts->key->value;
    struct tensor lead, of_key, of_value, all = {0};
    struct attention_parts alone = *parts;
    alone.enable_gqa = false;
    *ret = (struct tensor){0};
    if (!leading_axes(&alone, query, &lead) || !leading_axes(parts, key, &of_key) ||
        !leading_axes(parts, &parts->value->value, &of_value) ||
        !tensor_broadcast_shape(&lead, &of_key, &ret->n_axes, ret->shape, NULL) ||
        !tensor_broadcast_shape(ret, &of_value, &all.n_axes, all.shape, NULL) ||
        !tensor_same_shape(ret, &all))
        return false;
    ret->shape[ret->n_axes++] = query->shape[query->n_axes - 2];
    ret->shape[ret->n_axes++] = key->shape[key->n_axes - 2];
    return true;
}

static bool sizes_fit(const struct attention_parts *parts)
{
    const struct tensor *q = &parts->query->value, *k = &parts->key->value,
                        *v = &parts->value->value;
    return q->n_axes >= 2 && k->n_axes >= 2 && v->n_axes >= 2 &&
           q->shape[q->n_axes - 1] == k->shape[k->n_axes - 1] &&
           k->shape[k->n_axes - 2] == v->shape[v->n_axes - 2];
}

static bool mask_fits(const struct node *mask, const struct tensor *scores)
{
    struct tensor both = {0};
    return mask == NULL ||
           (tensor_broadcast_shape(&mask->value, scores, &both.n_axes, both.shape, NULL) &&
            tensor_same_shape(&both, scores));
}

static bool is_number(const struct node *node)
{
    return node == NULL || (node->value.n_axes == 0 && isfinite(node->value.data[0]));
}

bool stages_are_many(const struct attention_parts *parts, struct tensor *ret_scores)
{
    if (parts->query == NULL || parts->key == NULL || parts->value == NULL || !sizes_fit(parts) ||
        !is_number(parts->scale) || !is_number(parts->softcap) ||
        !scores_shape(parts, ret_scores) || !mask_fits(parts->attn_mask, ret_scores))
        return false;
    const struct tensor *query = &parts->query->value, *value = &parts->value->value;
    double work = (double)(query->shape[query->n_axes - 1] + value->shape[value->n_axes - 1]);
    for (unsigned axis = 0; axis < ret_scores->n_axes; axis++)
        work *= (double)ret_scores->shape[axis];
    return work >= (double)KERNEL_LEAST_PRODUCTS;
}

struct attention_parts stages_parts(const struct node *node, struct node *const *parents)
{
    const ptrdiff_t *has = node->args.ints;
    unsigned next = 3;
    struct attention_parts parts = {.query = parents[0],
                                    .key = parents[1],
                                    .value = parents[2],
                                    .is_causal = has[STAGES_CAUSAL] != 0,
                                    .enable_gqa = has[STAGES_GROUPED] != 0};
    parts.attn_mask = has[STAGES_MASK] ? parents[next++] : NULL;
    parts.dropout = has[STAGES_DROPOUT] ? parents[next++] : NULL;
    parts.scale = has[STAGES_SCALE] ? parents[next++] : NULL;
    parts.softcap = has[STAGES_SOFTCAP] ? parents[next] : NULL;
    return parts;
}

struct node *build_stages(struct builder *b, const struct attention_parts *parts)
{
    struct node *weights = build_weights(b, parts);
    return build_context(b, parts, build_dropped(b, parts, weights));
}

struct node *build_attention(struct builder *b, const struct attention_parts *parts)
{
    struct node *const optional[STAGES_COUNT] = {[STAGES_MASK] = parts->attn_mask,
                                                 [STAGES_DROPOUT] = parts->dropout,
                                                 [STAGES_SCALE] = parts->scale,
                                                 [STAGES_SOFTCAP] = parts->softcap};
    struct node *all[3 + STAGES_COUNT] = {parts->query, parts->key, parts->value};
    ptrdiff_t ints[STAGES_COUNT] = {
        [STAGES_CAUSAL] = parts->is_causal, [STAGES_GROUPED] = is_grouped(parts)};
    unsigned n = 3;
    for (size_t i = 0; i < STAGES_COUNT; i++)
        if (optional[i] != NULL) {
            ints[i] = 1;
            all[n++] = optional[i];
        }
    return build_many(b, OP_ATTENTION, n, all, STAGES_COUNT, ints);
}
