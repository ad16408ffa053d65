/* The circuits of a head, from its weights alone: what it attends to (query-key), what it then
 * writes (output-value), and how much of its input is what an earlier head wrote.
 *
 * With a head's matrices W_Q, W_K, W_V (d_model x head_dim), W_O (head_dim x d_model), rows being
 * vectors, and W_QK = W_Q W_K^T, W_OV = W_V W_O. Biases, norms and positions are left out. If heads
 * share keys, a head's W_K and W_V are those of its group. Source: Elhage and others 2021, "A
 * mathematical framework for transformer circuits". */
#ifndef ATTN_MODEL_CIRCUIT_H
#define ATTN_MODEL_CIRCUIT_H

#include "base/error.h"

struct graph;
struct model;
struct node;
struct tensor;

enum circuit {
    CIRCUIT_QK, /* E W_QK E^T / sqrt(head_dim): the score that a query (row) gives a key (column) */
    CIRCUIT_OV  /* E W_OV U^T: what attending to a token (row) adds to a token's logit (column) */
};

/* Word by word, n x n: E and U are the embeddings of ids (n,) with which the model reads and writes
 * tokens. head is (layer, head), both in range. The caller frees the node; NULL on failure. */
struct node *circuit_words(struct graph *graph, struct model *model, enum circuit circuit,
                           const size_t head[2], struct node *ids, struct error *reterr);

/* The input of a later head that an earlier head writes to: its query, key or value. */
enum composition { COMPOSITION_Q, COMPOSITION_K, COMPOSITION_V };

/* The scores of all pairs, (n_layers * n_heads, n_layers * n_heads): row the earlier head 1, column
 * the later head 2, 0 unless head 2's layer is later. |X|, the Frobenius norm of
 *   Q  W_OV1 W_QK2      K  W_OV1 W_QK2^T      V  W_OV1 W_OV2
 * divided by those of the two factors. ERR_INTERRUPTED when the graph's stop is set. */
bool compositions(struct graph *graph, struct model *model, enum composition composition,
                  struct tensor *ret, struct error *reterr);

#endif
