/* What an optimiser remembers of the steps that made a model, so that the next one goes on where
 * they were. */
#ifndef ATTN_MODEL_MOMENTS_H
#define ATTN_MODEL_MOMENTS_H

#include "optim/optimiser.h"

struct moments {
    enum optimiser_kind kind;
    size_t n_steps;  /* that were taken */
    size_t n;        /* numbers, twice as many as the model has */
    float numbers[]; /* of each of its parameters, in their order: struct parameter's `first`, then
                      * its `second` */
};

/* After no step: all 0. The caller frees it. NULL: ERR_MEMORY. */
struct moments *moments_new(enum optimiser_kind kind, size_t n, struct error *reterr);
/* The same numbers once more. */
struct moments *moments_copy(const struct moments *moments, struct error *reterr);
void moments_free(struct moments *moments); /* may be NULL */

#endif
