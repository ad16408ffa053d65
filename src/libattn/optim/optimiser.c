/* See optimiser.h. */
#include "optim/optimiser.h"

#include "optim/clip_internal.h"

bool optimiser_step(const struct optimiser *optimiser, size_t step,
                    const struct parameter *parameters, size_t n_parameters, double *ret_norm,
                    struct error *reterr)
{
    if (!gradient_norm(parameters, n_parameters, ret_norm, reterr))
        return false;
    double scale = optimiser->clip > 0 ? clip_scale(*ret_norm, optimiser->clip) : 1;
    if (optimiser->kind == OPTIMISER_SGD)
        return sgd_step(&optimiser->sgd, scale, parameters, n_parameters, reterr);
    return adamw_step(&optimiser->adamw, step, scale, parameters, n_parameters, reterr);
}
