/* Texts that grow token by token; the keys and values of the tokens so far are kept. */
#ifndef ATTN_MODEL_GENERATE_H
#define ATTN_MODEL_GENERATE_H

#include "base/error.h"
#include "graph/graph.h"
#include "tensor/random.h"

struct model;
struct tensor;
struct generator;

/* ---- prediction ---- */

/* The prediction of a run: the probabilities of the next token at one position. */

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

/* Changes the probabilities of n ranked candidates, a whole vocabulary, to those by which
 * prediction_draw() draws: candidates that top_k and top_p cut off get 0, and the others add up to
 * 1 again. Returns how many are left; they come first. (The temperature is part of the ranking.) */
size_t prediction_restrict(struct candidate *ranked, size_t n, const struct sampling *sampling);

/* The token with the highest logit of a row, the first of several. */
size_t prediction_likeliest(const struct tensor *logits, size_t row);

/* The natural logarithm of a token's probability, in double. */
double prediction_log_probability(const struct tensor *logits, size_t row, size_t token);

/* Draws a token from row `row`. Source of top_p: Holtzman and others 2020, "The curious case of
 * neural text degeneration". */
bool prediction_draw(const struct tensor *logits, size_t row, const struct sampling *sampling,
                     struct random *random, size_t *ret_token, struct error *reterr);

/* A text that begins with ids, (n,), at least one, and may grow by n_more tokens. It computes
 * nothing yet. stop, which a signal handler may set, ends a step; it may be NULL. The caller frees
 * *ret with generator_free(). ERR_RANGE if the text would be longer than the model takes. */
bool generator_new(struct model *model, const struct tensor *ids, size_t n_more,
                   const volatile sig_atomic_t *stop, struct generator **ret, struct error *reterr);
void generator_free(struct generator *generator); /* may be NULL */

/* Draws the next token and appends it. After a failure the text is as before. */
bool generator_next(struct generator *generator, const struct sampling *sampling,
                    struct random *random, size_t *ret_token, struct error *reterr);

#endif
