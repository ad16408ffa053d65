/* A head's pattern: which token attends to which, as one table of weights.
 *
 * A pattern has a row for each query and a column for each key. All of these take runs of one text.
 * The weights of a layer that keeps none (forward.h) are worked out and not kept by the run. */
#ifndef ATTN_MODEL_PATTERN_H
#define ATTN_MODEL_PATTERN_H

#include "base/error.h"

struct node;
struct run;
struct tensor;

/* The weights of all heads of a layer, n_heads x n x n, labelled by the tokens. The caller frees
 * the node. NULL on failure: ERR_SHAPE for a run of several texts; ERR_RANGE for a layer that is
 * not there. */
struct node *pattern_node(struct run *run, size_t layer, struct error *reterr);
/* Its numbers. */
bool pattern_of_layer(struct run *run, size_t layer, struct tensor *ret, struct error *reterr);
/* Those of one head: n x n. ERR_RANGE for a head that is not there, too. */
bool pattern_of_head(struct run *run, size_t layer, size_t head, struct tensor *ret,
                     struct error *reterr);
/* The key that gets most attention, and how much of all there is. */
struct pattern_sink {
    size_t key;
    double share; /* the mean of its column, 0 to 1 */
    bool is_sink; /* share is over 0.3, and there are three tokens or more */
};
/* Of weights, n x n, n > 0. Source of 0.3: Gu and others 2024, "When Attention Sink Emerges in
 * Language Models", whose measure this is for the first token. */
struct pattern_sink pattern_sink(const struct tensor *weights);
/* Booleans, n x n: true where a query may not attend to a key, by the model's causal mask; all
 * false for a model that looks ahead. */
bool pattern_hidden(const struct run *run, struct tensor *ret, struct error *reterr);

#endif
