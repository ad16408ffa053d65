/* What a model of stories knows: questions whose answers the grammar knows, in stories that
 * training never tells. */
#ifndef ATTN_TRAIN_EXAM_H
#define ATTN_TRAIN_EXAM_H

#include <stdint.h>

#include "base/error.h"

struct grammar;
struct model;
struct tensor;

/* Of n questions, how often the answer is the likeliest of all tokens, and how often it is likelier
 * than the rival: the wrong one of the two that are possible. */
struct exam_result {
    size_t n, right, beats_rival;
};

/* n questions of a kind of the grammar, from held-out pairs of words. ERR_NAME: there is no such
 * kind. ERR_SHAPE: the model's vocabulary is not the grammar's. */
bool exam_run(const struct grammar *grammar, struct model *model, const char *kind, uint64_t seed,
              size_t n, struct exam_result *ret, struct error *reterr);
/* n pairs of stories that differ in one word before the question, and so in its answer; a pair is
 * right where both are. */
bool exam_run_twins(const struct grammar *grammar, struct model *model, uint64_t seed, size_t n,
                    struct exam_result *ret, struct error *reterr);

/* Whether a token is likelier than any other by a row of logits (their last axis is the
 * vocabulary). */
bool exam_is_right(const struct tensor *logits, size_t row, size_t answer);
/* ERR_SHAPE: the model's vocabulary is not the grammar's. */
bool exam_check_vocabulary(const struct grammar *grammar, const struct model *model,
                           struct error *reterr);

#endif
