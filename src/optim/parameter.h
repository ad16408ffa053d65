/* What an optimiser changes: arrays of weights, with their gradients and what it remembers of them.
 *
 * All memory is the caller's. The numbers that come out are the same bits for any number of
 * threads, and on every machine whose float32 follows IEEE 754: each is found by itself, with +, -,
 * *, / and square roots alone. */
#ifndef ATTN_OPTIM_PARAMETER_H
#define ATTN_OPTIM_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>

struct parameter {
    size_t n;              /* numbers in each array; 0 is allowed */
    float *weights;        /* changed by a step */
    const float *gradient; /* d loss / d weights; only read */
    float *first;          /* what a step remembers, all 0 before the first: AdamW's mean of
                            * gradients, or the momentum of SGD; NULL where there is no momentum */
    float *second;         /* AdamW's mean of squared gradients; SGD reads none */
    bool decays; /* weight decay shrinks it: usual for matrices, not for biases and norms */
};

#endif
