/* Detectors: how closely a head's attention follows a pattern that has a name.
 *
 * A pattern says for each query which keys belong to it (q counts queries, k keys):
 *
 *   previous     k = q - 1
 *   current      k = q
 *   first        k = 0, the sink of many heads
 *   duplicate    earlier places of the query's own token
 *   induction    the places right after these: what followed the token the last time
 *   same word    earlier places of the same word, capital or small, with or without its space
 *   punctuation  earlier tokens that consist of signs
 *   uniform      no place more than another: see below
 *
 * Sources: previous, duplicate and induction as TransformerLens, head_detector.py; previous,
 * current, first and the stripe of induction as ARENA, chapter 1.2; punctuation as Clark and others
 * 2019, "What does BERT look at?". */
#ifndef ATTN_MODEL_DETECTOR_H
#define ATTN_MODEL_DETECTOR_H

#include "base/error.h"
#include "graph/graph.h"

struct node;
struct run;
struct tensor;
struct model;
struct random;
struct doc;
struct labels;
struct pattern_sink;

/* ---- pattern ---- */

/* A head's pattern: which token attends to which, as one table of weights.
 *
 * A pattern has a row for each query and a column for each key. All of these functions take runs of
 * one text. If a layer keeps no weights (forward.h), they are computed, and the run does not keep
 * them. */

/* The weights of all heads of a layer, n_heads x n x n, labelled by the tokens. The caller frees
 * the node. NULL on failure: ERR_SHAPE for a run of several texts; ERR_RANGE for a layer that the
 * model does not have. */
struct node *pattern_node(struct run *run, size_t layer, struct error *reterr);

/* The numbers of pattern_node(). */
bool pattern_of_layer(struct run *run, size_t layer, struct tensor *ret, struct error *reterr);

/* The weights of one head: n x n. ERR_RANGE also for a head that the layer does not have. */
bool pattern_of_head(struct run *run, size_t layer, size_t head, struct tensor *ret,
                     struct error *reterr);

/* The key that gets most attention, and its share of all attention. */
struct pattern_sink {
    size_t key;
    double share; /* the mean of its column, 0 to 1 */
    bool is_sink; /* share is over 0.3, and there are three tokens or more */
};

/* The sink of weights, n x n, n > 0. Source of 0.3: Gu and others 2024, "When Attention Sink
 * Emerges in Language Models", who use this measure for the first token. */
struct pattern_sink pattern_sink(const struct tensor *weights);

/* Booleans, n x n: true where a query may not attend to a key, by the model's causal mask; all
 * false for a model that looks ahead. */
bool pattern_hidden(const struct run *run, struct tensor *ret, struct error *reterr);

/* ---- repeats ---- */

/* Random tokens, twice: a text in which only the earlier tokens predict the next one, so that heads
 * that attend to what followed the same token stand out. Source: ARENA, chapter 1.2. */

/* A run of the token that begins a text, if the model has one, and of *ret_period random tokens
 * twice. ERR_RANGE for a model that takes fewer than 4 tokens. */
struct run *run_repeats(struct graph *graph, struct model *model, struct random *random,
                        size_t *ret_period, struct error *reterr);

enum detector {
    DETECT_PREVIOUS,
    DETECT_CURRENT,
    DETECT_FIRST,
    DETECT_DUPLICATE,
    DETECT_INDUCTION,
    DETECT_SAME_WORD,
    DETECT_PUNCTUATION,
    DETECT_UNIFORM,
    DETECTORS
};

/* How weights a[q, k] and a pattern p[q, k] (0 or 1) make a score from 0 to 1. For uniform, both
 * measures are the mean entropy of the rows that see m > 1 keys, each divided by log m. */
enum detector_measure {
    MEASURE_STRIPE, /* the mean, over the queries with a place in the pattern, of sum over k of a p;
                     * NaN if no query has a place. ARENA's means of diagonals and columns */
    MEASURE_MUL     /* sum of a p / sum of a, over all queries and keys. TransformerLens' "mul" */
};

struct detection {
    enum detector detector;
    enum detector_measure measure;
    size_t period; /* induction: k = q - period + 1 for all q, as ARENA has it for a text of
                    * `period` tokens that is repeated; 0: the places are found from the tokens */
};

const char *detector_name(enum detector detector); /* "same word" */

/* The pattern, booleans (n, n), of a run of one text. All false if no token belongs to it, also if
 * a pattern of words meets a model without vocabulary; for uniform, true up to the query. ERR_SHAPE
 * for several texts. */
bool detector_pattern(const struct run *run, const struct detection *detection, struct tensor *ret,
                      struct error *reterr);

/* The score of each head of a layer, [n_heads], for a pattern that detector_pattern() gave. */
bool detector_layer_scores(struct run *run, const struct detection *detection, size_t layer,
                           const struct tensor *pattern, float *ret, struct error *reterr);

/* The score of each head, (n_layers, n_heads). */
bool detector_scores(struct run *run, const struct detection *detection, struct tensor *ret,
                     struct error *reterr);

/* ---- detector table ---- */

/* All heads of a run with all their scores. */

/* The scores of all heads by all detectors, (n_layers * n_heads, DETECTORS), and the names of the
 * heads, L5H1. Heads with the highest score of detector `by` come first (DETECTORS: the highest of
 * any detector but uniform). period: see struct detection. */
bool detector_table(struct run *run, enum detector_measure measure, size_t period, enum detector by,
                    struct tensor *ret, struct labels **ret_heads, struct error *reterr);

/* Shows its first n rows. */
bool show_detector_table(const struct tensor *table, const struct labels *heads, size_t n,
                         struct doc *out, struct error *reterr);

#endif
