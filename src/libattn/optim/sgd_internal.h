/* Gradient descent with momentum. Numbers are those of torch.optim.SGD without dampening and
 * Nesterov's look ahead.
 * Source: Polyak 1964, "Some methods of speeding up the convergence of iteration methods". */
#ifndef ATTN_OPTIM_SGD_INTERNAL_H
#define ATTN_OPTIM_SGD_INTERNAL_H

#include "base/error.h"
#include "optim/parameter_internal.h"

struct sgd {
    double lr;       /* the learning rate */
    double momentum; /* the fraction of the last step that is added to the next; 0: no momentum */
    double weight_decay; /* weight_decay times the weight is added to the gradient of weights that
                            decay */
};

/* One step, with g = scale gradient + weight_decay weights (the latter only if it decays):
 *
 *   first   = momentum first + g
 *   weights = weights - lr first
 *
 * Without momentum, first is not touched. ERR_MEMORY; nothing has changed then. */
bool sgd_step(const struct sgd *sgd, double scale, const struct parameter *parameters,
              size_t n_parameters, struct error *reterr);

#endif
