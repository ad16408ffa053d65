/* See compose.h. */
#include "lang/value/compose.h"

#include <string.h>

#include "attention/mask.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "tensor/tensor.h"

static struct node *half_times(struct builder *b, struct node *x, struct node *factor)
{
    struct node *one_more = build2(b, OP_ADD, build_number(b, 1), factor);
    return build2(b, OP_MUL, build2(b, OP_MUL, build_number(b, 0.5), x), one_more);
}

struct node *compose_gelu(struct builder *b, struct node *x)
{
    struct node *scaled = build2(b, OP_DIV, x, build1(b, OP_SQRT, build_number(b, 2)));
    return half_times(b, x, build1(b, OP_ERF, scaled));
}

struct node *compose_gelu_tanh(struct builder *b, struct node *x)
{
    double root_two_over_pi = 0.79788456080286536;
    struct node *cube = build2(b, OP_MUL, build2(b, OP_MUL, x, x), x);
    struct node *inner = build2(b, OP_ADD, x, build2(b, OP_MUL, build_number(b, 0.044715), cube));
    struct node *scaled = build2(b, OP_MUL, build_number(b, root_two_over_pi), inner);
    return half_times(b, x, build1(b, OP_TANH, scaled));
}

struct node *compose_layer_norm(struct builder *b, struct node *x, unsigned n_axes,
                                struct node *weight, struct node *bias, double eps)
{
    unsigned axes = 0;
    for (unsigned i = 0; i < n_axes; i++)
        axes |= 1U << (x->value.n_axes - 1 - i);
    struct node *mean = build_reduce(b, OP_MEAN, x, axes, true, 0);
    struct node *variance = build_reduce(b, OP_VAR, x, axes, true, 0);
    struct node *spread = build1(b, OP_SQRT, build2(b, OP_ADD, variance, build_number(b, eps)));
    struct node *y = build2(b, OP_DIV, build2(b, OP_SUB, x, mean), spread);
    if (weight != NULL)
        y = build2(b, OP_MUL, y, weight);
    return bias != NULL ? build2(b, OP_ADD, y, bias) : y;
}

struct node *compose_repeat(struct builder *b, struct node *x, size_t n, unsigned axis)
{
    const struct tensor *value = &x->value;
    size_t shape[TENSOR_MAX_AXES];
    ptrdiff_t wide[TENSOR_MAX_AXES];
    if (axis >= value->n_axes || value->n_axes == TENSOR_MAX_AXES) {
        b->failed = true;
        error_set(b->reterr, ERR_SHAPE,
                  "repeating positions: a tensor of 1 to %d axes is needed, and this one has %u",
                  TENSOR_MAX_AXES - 1, value->n_axes);
        return NULL;
    }
    memcpy(shape, value->shape, (axis + 1) * sizeof *shape);
    shape[axis + 1] = 1;
    memcpy(shape + axis + 2, value->shape + axis + 1, (value->n_axes - axis - 1) * sizeof *shape);
    for (unsigned i = 0; i <= value->n_axes; i++)
        wide[i] = (ptrdiff_t)(i == axis + 1 ? n : shape[i]);
    struct node *apart = build_reshape(b, x, value->n_axes + 1, shape);
    struct node *repeated = build_ints(b, OP_EXPAND, apart, value->n_axes + 1, wide, 0);
    memcpy(shape, value->shape, value->n_axes * sizeof *shape);
    shape[axis] *= n;
    return build_reshape(b, repeated, value->n_axes, shape);
}

struct node *compose_row(struct builder *b, struct node *x, size_t i)
{
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        cuts[3 * axis] = axis == 0 ? (ptrdiff_t)i : 0;
        cuts[3 * axis + 1] = axis == 0 ? -1 : (ptrdiff_t)x->value.shape[axis];
        cuts[3 * axis + 2] = 1;
    }
    return build_ints(b, OP_SLICE, x, 3 * (size_t)x->value.n_axes, cuts, 0);
}

struct node *compose_same(struct builder *b, struct node *x)
{
    return build_reshape(b, x, x->value.n_axes, x->value.shape);
}

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
    return compose_repeat(b, x, wanted / own, axis);
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

/* For the last two axes of scores. */
static struct node *causal_mask(struct builder *b, const struct node *scores)
{
    const size_t *shape = scores->value.shape + scores->value.n_axes - 2;
    struct tensor mask;
    if (!mask_causal(shape[0], shape[1], 0, MASK_MAY_ATTEND, &mask, b->reterr)) {
        b->failed = true;
        return NULL;
    }
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

struct node *compose_weights(struct builder *b, const struct attention_parts *parts)
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

struct node *compose_context(struct builder *b, const struct attention_parts *parts,
                             struct node *weights)
{
    return build2(b, OP_WEIGHTED_SUM, weights, for_query_heads(b, parts, parts->value));
}

struct node *compose_split_heads(struct builder *b, struct node *x, size_t n_heads)
{
    if (x == NULL)
        return NULL;
    unsigned n = x->value.n_axes;
    size_t width = n >= 2 ? x->value.shape[n - 1] : 0, shape[TENSOR_MAX_AXES + 1];
    if (n < 2 || n == TENSOR_MAX_AXES || n_heads == 0 || width % n_heads != 0) {
        char text[TENSOR_SHAPE_TEXT];
        error_set(b->reterr, ERR_SHAPE,
                  "heads: %s can't be split into %zu heads; the last size must be a multiple",
                  tensor_shape_text(&x->value, text), n_heads);
        b->failed = true;
        return NULL;
    }
    memcpy(shape, x->value.shape, (n - 1) * sizeof *shape);
    shape[n - 1] = n_heads;
    shape[n] = width / n_heads;
    return build_transpose(b, build_reshape(b, x, n + 1, shape), n - 2, n - 1);
}

struct node *compose_merge_heads(struct builder *b, struct node *x)
{
    if (x == NULL)
        return NULL;
    unsigned n = x->value.n_axes;
    if (n < 3) {
        char text[TENSOR_SHAPE_TEXT];
        error_set(b->reterr, ERR_SHAPE,
                  "heads: a tensor (..., n_heads, n, head_dim) is needed, and this is %s",
                  tensor_shape_text(&x->value, text));
        b->failed = true;
        return NULL;
    }
    struct node *moved = build_transpose(b, x, n - 3, n - 2);
    if (moved == NULL)
        return NULL;
    size_t shape[TENSOR_MAX_AXES];
    memcpy(shape, moved->value.shape, (n - 2) * sizeof *shape);
    shape[n - 2] = moved->value.shape[n - 2] * moved->value.shape[n - 1];
    return build_reshape(b, moved, n - 1, shape);
}
