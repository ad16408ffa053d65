/* What an optimiser remembers of the steps that made a model, so that the next step continues from
 * them. */
#ifndef ATTN_MODEL_MOMENTS_H
#define ATTN_MODEL_MOMENTS_H

#include "optim/optimiser.h"

struct moments {
    enum optimiser_kind kind;
    size_t n_steps;  /* steps taken so far */
    size_t n;        /* numbers, twice as many as the model has */
    float numbers[]; /* of each parameter, in their order: struct parameter's `first`, then its
                      * `second` */
};

/* The moments before the first step: all 0. The caller frees it. NULL: ERR_MEMORY. */
struct moments *moments_new(enum optimiser_kind kind, size_t n, struct error *reterr);
/* A copy. */
struct moments *moments_copy(const struct moments *moments, struct error *reterr);
void moments_free(struct moments *moments); /* may be NULL */

#endif
