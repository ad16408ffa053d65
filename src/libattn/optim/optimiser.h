/* An optimiser with its settings, and one step of it: gradients are clipped, then AdamW or SGD
 * moves the weights. */
#ifndef ATTN_OPTIM_OPTIMISER_H
#define ATTN_OPTIM_OPTIMISER_H

#include "optim/adamw.h"
#include "optim/sgd_internal.h"

enum optimiser_kind { OPTIMISER_ADAMW, OPTIMISER_SGD };

struct optimiser {
    enum optimiser_kind kind;
    struct adamw
        adamw; /* with the learning rate of this step; read only if kind is OPTIMISER_ADAMW */
    struct sgd sgd;
    double clip; /* the largest norm that all gradients together may have; 0: no limit */
};

/* Step number `step`, from 1. *ret_norm is the norm of the gradients before they are clipped.
 * ERR_MEMORY; nothing has changed then. */
bool optimiser_step(const struct optimiser *optimiser, size_t step,
                    const struct parameter *parameters, size_t n_parameters, double *ret_norm,
                    struct error *reterr);

#endif
