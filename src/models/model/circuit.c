/* See circuit.h.
 *
 * Products of d_model x d_model are never made. With W_OV1 = A B (A = W_V1, B = W_O1) and the later
 * head's matrix C D (of Q: W_Q2, W_K2^T), M = B C is head_dim x head_dim, and
 *   |A M D|^2 = trace(M^T (A^T A) M (D D^T)), the sum of (A^T A) M * M (D D^T), number by number.
 */
#include "model/circuit.h"

#include <math.h>
#include <stdlib.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/model.h"
#include "tensor/tensor.h"

/* ---- a head's matrices ---- */

enum matrix { MATRIX_Q, MATRIX_K, MATRIX_V, MATRIX_O };

/* All heads' columns of a layer's projection, (d_model, n * head_dim). */
static struct node *projection(struct builder *b, struct model *model, enum matrix which,
                               size_t layer)
{
    static const enum param params[] = {PARAM_QUERY, PARAM_KEY, PARAM_VALUE};
    const struct model_config *config = &model->config;
    size_t queries = config_query_width(config), keys = config_key_width(config);
    if (b->failed)
        return NULL;
    if (config->family == FAMILY_LLAMA)
        return build_transpose(b, model_parameter(b, model, params[which], layer), 0, 1);
    size_t from[] = {0, queries, queries + keys};
    return build_slice(b, model_parameter(b, model, PARAM_QKV, layer), 1, from[which],
                       which == MATRIX_Q ? queries : keys);
}

/* (d_model, head_dim), or for MATRIX_O (head_dim, d_model). */
static struct node *matrix_of(struct builder *b, struct model *model, enum matrix which,
                              size_t layer, size_t head)
{
    const struct model_config *config = &model->config;
    size_t group = config->n_heads / config->n_kv_heads;
    size_t at = (which == MATRIX_K || which == MATRIX_V ? head / group : head) * config->head_dim;
    if (which != MATRIX_O)
        return build_slice(b, projection(b, model, which, layer), 1, at, config->head_dim);
    struct node *out = b->failed ? NULL : model_parameter(b, model, PARAM_OUT, layer);
    if (config->family == FAMILY_LLAMA)
        out = build_transpose(b, out, 0, 1);
    return build_slice(b, out, 0, at, config->head_dim);
}

/* ---- word by word ---- */

/* The rows of a table for these tokens. */
static struct node *rows_of(struct builder *b, struct model *model, enum param table,
                            struct node *ids)
{
    return b->failed ? NULL : build2(b, OP_TAKE, model_parameter(b, model, table, 0), ids);
}

static struct node *query_key(struct builder *b, struct model *model, const size_t head[2],
                              struct node *ids)
{
    const struct model_config *config = &model->config;
    struct node *e = rows_of(b, model, PARAM_TOKENS, ids);
    struct node *q = build2(b, OP_MATMUL, e, matrix_of(b, model, MATRIX_Q, head[0], head[1]));
    struct node *k = build2(b, OP_MATMUL, e, matrix_of(b, model, MATRIX_K, head[0], head[1]));
    struct node *scores = build2(b, OP_MATMUL, build_name(b, q, "queries"),
                                 build_transpose(b, build_name(b, k, "keys"), 0, 1));
    double scale = config->scales_scores ? sqrt((double)config->head_dim) : 1;
    if (config->scales_by_layer)
        scale *= (double)(head[0] + 1);
    return build2(b, OP_DIV, scores, build_number(b, scale));
}

static struct node *output_value(struct builder *b, struct model *model, const size_t head[2],
                                 struct node *ids)
{
    enum param written = model->config.is_tied ? PARAM_TOKENS : PARAM_LOGITS;
    struct node *e = rows_of(b, model, PARAM_TOKENS, ids);
    struct node *u = rows_of(b, model, written, ids);
    struct node *v = build2(b, OP_MATMUL, e, matrix_of(b, model, MATRIX_V, head[0], head[1]));
    struct node *out = build2(b, OP_MATMUL, build_name(b, v, "values"),
                              matrix_of(b, model, MATRIX_O, head[0], head[1]));
    return build2(b, OP_MATMUL, build_name(b, out, "written"), build_transpose(b, u, 0, 1));
}

struct node *circuit_words(struct graph *graph, struct model *model, enum circuit circuit,
                           const size_t head[2], struct node *ids, struct error *reterr)
{
    struct builder builder;
    builder_init(&builder, graph, reterr);
    builder.largest_first = true;
    struct node *words = circuit == CIRCUIT_QK ? query_key(&builder, model, head, ids)
                                               : output_value(&builder, model, head, ids);
    words = builder_result(&builder, words);
    builder_release(&builder);
    return words;
}

/* ---- composition ---- */

/* What compositions need of all heads of a layer, a matrix a head:
 * as the earlier head: out (B) and its inner = A^T A; as the later: read (C) and inner = D D^T. */
struct side {
    struct node *factor, *inner; /* (n_heads, head_dim, d_model) or its transpose; squares */
    struct node *norm;           /* (n_heads,): of the head's whole product */
};

/* The matrices of all heads of a layer, one after the other, (n_heads, rows, columns). */
static struct node *all_heads(struct builder *b, struct model *model, enum matrix which,
                              size_t layer)
{
    size_t n = model->config.n_heads;
    struct node **heads = calloc(n, sizeof(*heads)), *joined = NULL;
    bool ok = heads != NULL || error_memory(b->reterr, "compositions");
    for (size_t h = 0; ok && h < n; h++) {
        struct node *x = matrix_of(b, model, which, layer, h);
        ok = x != NULL;
        if (ok)
            heads[h] = build_reshape(b, x, 3, (size_t[]){1, x->value.shape[0], x->value.shape[1]});
        ok = ok && heads[h] != NULL;
    }
    if (ok)
        joined = build_many(b, OP_CAT, (unsigned)n, heads, 1, (ptrdiff_t[]){0});
    else
        b->failed = true;
    free(heads);
    return joined;
}

static struct node *turned(struct builder *b, struct node *x)
{
    return x != NULL ? build_transpose(b, x, x->value.n_axes - 2, x->value.n_axes - 1) : NULL;
}

/* Root of the sum of x * y over the last two axes. */
static struct node *root_of_products(struct builder *b, struct node *x, struct node *y)
{
    struct node *products = build2(b, OP_MUL, x, y);
    unsigned n = products != NULL ? products->value.n_axes : 2;
    struct node *sum = build_reduce(b, OP_SUM, products, 1U << (n - 1) | 1U << (n - 2), false, 0);
    /* What rounding leaves below 0. */
    return build1(b, OP_SQRT, build2(b, OP_MAXIMUM, sum, build_number(b, 0)));
}

/* |A B| = root of the sum of A^T A * B B^T, for (n_heads, d_model, head_dim) times its like. */
static struct node *norm_of_product(struct builder *b, struct node *left_inner, struct node *right)
{
    return root_of_products(b, left_inner, build2(b, OP_MATMUL, right, turned(b, right)));
}

static struct side earlier_side(struct builder *b, struct model *model, size_t layer)
{
    struct node *value = all_heads(b, model, MATRIX_V, layer);
    struct side side = {.factor = all_heads(b, model, MATRIX_O, layer)};
    side.inner = build2(b, OP_MATMUL, turned(b, value), value);
    side.norm = norm_of_product(b, side.inner, side.factor);
    return side;
}

/* C and D of the later head: W_Q W_K^T, its transpose, or W_V W_O. */
static struct side later_side(struct builder *b, struct model *model, enum composition composition,
                              size_t layer)
{
    enum matrix reads = composition == COMPOSITION_Q   ? MATRIX_Q
                        : composition == COMPOSITION_K ? MATRIX_K
                                                       : MATRIX_V;
    enum matrix other = composition == COMPOSITION_Q   ? MATRIX_K
                        : composition == COMPOSITION_K ? MATRIX_Q
                                                       : MATRIX_O;
    struct node *right = all_heads(b, model, other, layer);
    if (other != MATRIX_O)
        right = turned(b, right);
    struct side side = {.factor = all_heads(b, model, reads, layer)};
    side.inner = build2(b, OP_MATMUL, right, turned(b, right));
    side.norm =
        root_of_products(b, build2(b, OP_MATMUL, turned(b, side.factor), side.factor), side.inner);
    return side;
}

/* x with an axis of one head more, before or after that of its own heads. */
static struct node *spread(struct builder *b, struct node *x, bool first)
{
    if (x == NULL)
        return NULL;
    size_t shape[4] = {1, 1, 1, 1};
    unsigned n = x->value.n_axes + 1;
    shape[first ? 0 : 1] = x->value.shape[0];
    for (unsigned axis = 1; axis < x->value.n_axes; axis++)
        shape[axis + 1] = x->value.shape[axis];
    return build_reshape(b, x, n, shape);
}

/* The scores of the heads of two layers, (n_heads, n_heads). */
static struct node *pair_scores(struct builder *b, const struct side *earlier,
                                const struct side *later)
{
    struct node *m =
        build2(b, OP_MATMUL, spread(b, earlier->factor, true), spread(b, later->factor, false));
    struct node *left = build2(b, OP_MATMUL, spread(b, earlier->inner, true), m);
    struct node *right = build2(b, OP_MATMUL, m, spread(b, later->inner, false));
    struct node *norms =
        build2(b, OP_MUL, spread(b, earlier->norm, true), spread(b, later->norm, false));
    return build2(b, OP_DIV, root_of_products(b, left, right), norms);
}

/* Puts the scores of two layers into the whole table. */
static bool score_layers(struct graph *graph, struct model *model, enum composition composition,
                         const size_t layers[2], struct tensor *table, struct error *reterr)
{
    size_t n = model->config.n_heads;
    struct builder b;
    builder_init(&b, graph, reterr);
    b.largest_first = true;
    struct side earlier = earlier_side(&b, model, layers[0]);
    struct side later = later_side(&b, model, composition, layers[1]);
    struct node *scores = pair_scores(&b, &earlier, &later);
    for (size_t i = 0; scores != NULL && i < n * n; i++)
        table->data[(layers[0] * n + i / n) * table->shape[1] + layers[1] * n + i % n] =
            tensor_at_position(&scores->value, i);
    builder_release(&b);
    return scores != NULL;
}

bool compositions(struct graph *graph, struct model *model, enum composition composition,
                  struct tensor *ret, struct error *reterr)
{
    size_t n_layers = model->config.n_layers, n = n_layers * model->config.n_heads;
    struct tensor table;
    if (!tensor_zeros(2, (size_t[]){n, n}, &table, reterr))
        return false;
    for (size_t i = 0; i < n_layers * n_layers; i++) {
        size_t layers[2] = {i / n_layers, i % n_layers};
        if (layers[0] < layers[1] &&
            !score_layers(graph, model, composition, layers, &table, reterr)) {
            tensor_release(&table);
            return false;
        }
    }
    *ret = table;
    return true;
}
