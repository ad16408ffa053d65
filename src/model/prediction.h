/* What a run says comes next: the probabilities of the tokens at one position. */
#ifndef ATTN_MODEL_PREDICTION_H
#define ATTN_MODEL_PREDICTION_H

#include "base/error.h"
#include "tensor/random.h"

struct model;
struct tensor;

/* One token and its probability. */
struct candidate {
    size_t token;
    double probability;
};

/* How a token is chosen. */
struct sampling {
    double temperature; /* logits are divided by it; 0: always the likeliest token */
    size_t top_k;       /* only the k likeliest tokens; 0: all */
    double top_p;       /* only the likeliest tokens that together reach this probability; 1: all */
};

/* The probabilities of row `row` of logits (rows x vocab, dense or not), all of them, likeliest
 * first; equal ones by token. Softmax in double of logits / temperature (> 0). The caller frees
 * *ret, which has vocab candidates. ERR_MEMORY. */
bool prediction_rank(const struct tensor *logits, size_t row, double temperature,
                     struct candidate **ret, struct error *reterr);
/* Makes the probabilities of n ranked candidates, of a whole vocabulary, those by which
 * prediction_draw() draws: of tokens that top_k and top_p cut off they become 0, and those of the
 * others add up to 1 again. Returns how many are left, which come first. (The temperature is in the
 * ranking.) */
size_t prediction_restrict(struct candidate *ranked, size_t n, const struct sampling *sampling);
/* The token with the highest logit of a row, the first of several. */
size_t prediction_likeliest(const struct tensor *logits, size_t row);
/* The natural logarithm of a token's probability, in double. */
double prediction_log_probability(const struct tensor *logits, size_t row, size_t token);
/* Draws a token from row `row`. Source of top_p: Holtzman and others 2020, "The curious case of
 * neural text degeneration". */
bool prediction_draw(const struct tensor *logits, size_t row, const struct sampling *sampling,
                     struct random *random, size_t *ret_token, struct error *reterr);

#endif
