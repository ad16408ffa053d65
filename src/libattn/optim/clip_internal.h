/* Clipping by the global norm: gradients whose common norm is too large are scaled down, which
 * keeps their direction. Numbers are those of torch.nn.utils.clip_grad_norm_. Source: Pascanu et
 * al. 2013, "On the difficulty of training recurrent neural networks". */
#ifndef ATTN_OPTIM_CLIP_INTERNAL_H
#define ATTN_OPTIM_CLIP_INTERNAL_H

#include "base/error.h"
#include "optim/parameter_internal.h"

/* *ret_norm = the root of the sum of the squares of all gradients, summed in double; NaN or
 * infinite when one of them is. The same bits for any number of threads. ERR_MEMORY. */
bool gradient_norm(const struct parameter *parameters, size_t n_parameters, double *ret_norm,
                   struct error *reterr);

/* The factor for gradients of this norm that keeps their norm at or below most: min(1, most / (norm
 * + 1e-6)). NaN for NaN, and 0 for an infinite norm, as in PyTorch. */
double clip_scale(double norm, double most);

#endif
