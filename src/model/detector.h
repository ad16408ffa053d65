/* Detectors: how far a head's attention lies on a pattern that has a name.
 *
 * A pattern says for each query which keys belong to it (q counts queries, k keys):
 *   previous     k = q - 1
 *   current      k = q
 *   first        k = 0, the sink of many heads
 *   duplicate    earlier places of the query's own token
 *   induction    places right after these: what came next when the token stood there
 *   same word    earlier places of the same word, capital or small, with or without its space
 *   punctuation  earlier tokens of signs alone
 *   uniform      no place more than another: see below
 * Sources: previous, duplicate and induction as TransformerLens, head_detector.py; previous,
 * current, first and the stripe of induction as ARENA, chapter 1.2; punctuation as Clark and others
 * 2019, "What does BERT look at?". */
#ifndef ATTN_MODEL_DETECTOR_H
#define ATTN_MODEL_DETECTOR_H

#include "base/error.h"

struct run;
struct tensor;

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

/* How weights a[q, k] and a pattern p[q, k] (0 or 1) make a score from 0 to 1.
 * Of uniform both are the mean entropy of the rows that see m > 1 keys, each divided by log m. */
enum detector_measure {
    MEASURE_STRIPE, /* mean, over the queries with a place in the pattern, of sum over k of a p;
                     * NaN where no query has one. ARENA's means of diagonals and columns */
    MEASURE_MUL     /* sum of a p / sum of a, over all queries and keys. TransformerLens' "mul" */
};

struct detection {
    enum detector detector;
    enum detector_measure measure;
    size_t period; /* induction: k = q - period + 1 for all q, as ARENA has it for a text of so many
                    * tokens that is repeated; 0: found from the tokens */
};

const char *detector_name(enum detector detector); /* "same word" */

/* The pattern, booleans (n, n), of a run of one text. All false where no token belongs to it, also
 * where a pattern of words meets a model without vocabulary; true up to the query for uniform.
 * ERR_SHAPE for several texts. */
bool detector_pattern(const struct run *run, const struct detection *detection, struct tensor *ret,
                      struct error *reterr);
/* The score of each head of a layer, [n_heads], of which the pattern was found before. */
bool detector_layer_scores(struct run *run, const struct detection *detection, size_t layer,
                           const struct tensor *pattern, float *ret, struct error *reterr);
/* The score of each head, (n_layers, n_heads). */
bool detector_scores(struct run *run, const struct detection *detection, struct tensor *ret,
                     struct error *reterr);

#endif
