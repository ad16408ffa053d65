/* Gradient descent with momentum. Numbers are those of torch.optim.SGD without dampening and
 * Nesterov's look ahead.
 * Source: Polyak 1964, "Some methods of speeding up the convergence of iteration methods". */
#ifndef ATTN_OPTIM_SGD_H
#define ATTN_OPTIM_SGD_H

#include "base/error.h"
#include "optim/parameter.h"

struct sgd {
    double lr;           /* the learning rate */
    double momentum;     /* how much of the last step goes into the next; 0: none */
    double weight_decay; /* times the weights that decay, is added to their gradient */
};

/* One step, with g = scale gradient + weight_decay weights (the latter where it decays):
 *
 *   first   = momentum first + g
 *   weights = weights - lr first
 *
 * Without momentum first is not touched. ERR_MEMORY: then nothing has changed. */
bool sgd_step(const struct sgd *sgd, double scale, const struct parameter *parameters,
              size_t n_parameters, struct error *reterr);

#endif
