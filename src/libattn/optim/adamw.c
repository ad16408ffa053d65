/* See adamw.h. As in PyTorch, factors are found in double and rounded once. */
#include "optim/adamw.h"

#include <math.h>

#include "optim/parts_internal.h"

const struct adamw adamw_defaults = {
    .lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .weight_decay = 0.01};

struct factors {
    float scale, keep, beta1, rest1, beta2, rest2, root_correction, eps, step_size;
};

/* Loops of this constant length become vectors, which gcc does not make of others at -O2. */
enum { BLOCK = 32 };

static inline __attribute__((always_inline)) void step_numbers(
    const struct factors *factors, bool decays, size_t n, float *restrict weights,
    const float *restrict gradient, float *restrict first, float *restrict second)
{
    const struct factors f = *factors;
    const float keep = decays ? f.keep : 1;
    for (size_t i = 0; i < n; i++) {
        float g = f.scale * gradient[i];
        first[i] = f.beta1 * first[i] + f.rest1 * g;
        second[i] = f.beta2 * second[i] + f.rest2 * g * g;
        float root = sqrtf(second[i]) / f.root_correction + f.eps;
        weights[i] = keep * weights[i] - f.step_size * first[i] / root;
    }
}

static void step_part(const void *context, size_t part, const struct parameter *p, size_t begin,
                      size_t n)
{
    (void)part;
    size_t i = begin, end = begin + n;
    for (; end - i >= BLOCK; i += BLOCK)
        step_numbers(context, p->decays, BLOCK, p->weights + i, p->gradient + i, p->first + i,
                     p->second + i);
    step_numbers(context, p->decays, end - i, p->weights + i, p->gradient + i, p->first + i,
                 p->second + i);
}

bool adamw_step(const struct adamw *adamw, size_t step, double scale,
                const struct parameter *parameters, size_t n_parameters, struct error *reterr)
{
    struct factors factors = {
        .scale = (float)scale,
        .keep = (float)(1 - adamw->lr * adamw->weight_decay),
        .beta1 = (float)adamw->beta1,
        .rest1 = (float)(1 - adamw->beta1),
        .beta2 = (float)adamw->beta2,
        .rest2 = (float)(1 - adamw->beta2),
        .root_correction = (float)sqrt(1 - pow(adamw->beta2, (double)step)),
        .eps = (float)adamw->eps,
        .step_size = (float)(adamw->lr / (1 - pow(adamw->beta1, (double)step))),
    };
    return parts_run("adamw", parameters, n_parameters, step_part, &factors, reterr);
}
