/* What a change of a run does to what the model says: to the probability of one token, or to the
 * loss of the text. Cutting each head in turn ranks heads by it. */
#ifndef ATTN_MODEL_EFFECT_H
#define ATTN_MODEL_EFFECT_H

#include "model/cut.h"

struct tensor;

enum effect_on {
    EFFECT_PROBABILITY, /* of one token at the end of the text */
    EFFECT_LOSS         /* the mean of -log of the probability of each token but the first, in nats,
                         * after those before it */
};

struct effect {
    enum effect_on on;
    size_t token; /* of EFFECT_PROBABILITY */
};

/* The token that the run holds for the likeliest at its end. ERR_SHAPE for a run of several texts.
 */
bool run_likeliest(struct run *run, size_t *ret, struct error *reterr);
/* What is watched, in this run. ERR_SHAPE for the probability in a run of several texts; ERR_RANGE
 * for a token that is not there, or the loss of a text of one token. */
bool run_measure(struct run *run, const struct effect *effect, double *ret, struct error *reterr);
/* How much it changes when one head is cut, (n_layers, n_heads), each head alone: after minus
 * before. ERR_INTERRUPTED when the graph's stop is set. */
bool heads_measure(struct run *run, const struct effect *effect, enum cut_how how,
                   struct run *other, struct tensor *ret, struct error *reterr);

#endif
