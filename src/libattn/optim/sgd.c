/* See sgd_internal.h. */
#include "optim/sgd_internal.h"

#include "optim/parts_internal.h"

struct factors {
    float scale, lr, momentum, weight_decay;
};

/* Loops of this constant length become vectors, which gcc does not make of others at -O2. */
enum { BLOCK = 32 };

/* first is NULL where nothing is remembered. */
static inline __attribute__((always_inline)) void step_numbers(const struct factors *factors,
                                                               bool decays, size_t n,
                                                               float *restrict weights,
                                                               const float *restrict gradient,
                                                               float *restrict first)
{
    const struct factors f = *factors;
    const float decay = decays ? f.weight_decay : 0;
    for (size_t i = 0; i < n; i++) {
        float g = f.scale * gradient[i] + decay * weights[i];
        if (first != NULL)
            g = first[i] = f.momentum * first[i] + g;
        weights[i] = weights[i] - f.lr * g;
    }
}

static void step_part(const void *context, size_t part, const struct parameter *p, size_t begin,
                      size_t n)
{
    (void)part;
    const struct factors *factors = context;
    float *first = factors->momentum != 0 ? p->first + begin : NULL;
    float *weights = p->weights + begin;
    const float *gradient = p->gradient + begin;
    size_t i = 0;
    for (; n - i >= BLOCK; i += BLOCK)
        if (first != NULL)
            step_numbers(factors, p->decays, BLOCK, weights + i, gradient + i, first + i);
        else
            step_numbers(factors, p->decays, BLOCK, weights + i, gradient + i, NULL);
    step_numbers(factors, p->decays, n - i, weights + i, gradient + i,
                 first != NULL ? first + i : NULL);
}

bool sgd_step(const struct sgd *sgd, double scale, const struct parameter *parameters,
              size_t n_parameters, struct error *reterr)
{
    struct factors factors = {
        .scale = (float)scale,
        .lr = (float)sgd->lr,
        .momentum = (float)sgd->momentum,
        .weight_decay = (float)sgd->weight_decay,
    };
    return parts_run("sgd", parameters, n_parameters, step_part, &factors, reterr);
}
