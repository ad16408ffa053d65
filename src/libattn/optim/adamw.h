/* AdamW: steps along the mean of gradients, divided by the root of their mean square, with weight
 * decay beside them. Numbers and defaults are those of torch.optim.AdamW.
 * Source: Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2. */
#ifndef ATTN_OPTIM_ADAMW_H
#define ATTN_OPTIM_ADAMW_H

#include "base/error.h"
#include "optim/parameter_internal.h"

struct adamw {
    double lr;           /* the learning rate */
    double beta1, beta2; /* how much of the mean of gradients, and of squares, stays; [0, 1) */
    double eps;          /* added to the root */
    double weight_decay; /* share of a decaying weight that a step takes away, times lr */
};

extern const struct adamw adamw_defaults; /* lr 0.001, betas 0.9 and 0.999, 1e-8, 0.01 */

/* Step number `step`, from 1, with g = scale gradient (scale: clip_scale(), or 1):
 *
 *   weights = weights - lr weight_decay weights         if it decays
 *   first   = beta1 first  + (1 - beta1) g
 *   second  = beta2 second + (1 - beta2) g g
 *   weights = weights - lr / (1 - beta1^step) first
 *                       / (sqrt(second) / sqrt(1 - beta2^step) + eps)
 *
 * ERR_MEMORY; nothing has changed then. */
bool adamw_step(const struct adamw *adamw, size_t step, double scale,
                const struct parameter *parameters, size_t n_parameters, struct error *reterr);

#endif
