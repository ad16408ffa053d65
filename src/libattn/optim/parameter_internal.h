/* The arrays that an optimiser changes: weights, with their gradients and the optimiser's memory of
 * them. All memory is the caller's. The results are the same bits for any number of threads, and on
 * every machine whose float32 follows IEEE 754: each number is computed independently, with only +,
 * -, *, / and square roots. */
#ifndef ATTN_OPTIM_PARAMETER_INTERNAL_H
#define ATTN_OPTIM_PARAMETER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

struct parameter {
    size_t n;              /* numbers in each array; 0 is allowed */
    float *weights;        /* changed by a step */
    const float *gradient; /* d loss / d weights; only read */
    float *first; /* the optimiser's memory, all 0 before the first step: AdamW's mean of gradients,
                     or the momentum of SGD; NULL without momentum */
    float *second; /* AdamW's mean of squared gradients; SGD does not read it */
    bool decays;   /* weight decay shrinks it: usual for matrices, not for biases and norms */
};

#endif
