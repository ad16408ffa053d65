/* The cross-entropy of rows of scores with the class that each should choose, and its gradient:
 * what language models and classifiers are trained on. Conventions: tensor/tensor.h.
 *
 *   loss of a row = -log(softmax(x)[t]) = log(sum_k exp(x_k - max)) - (x_t - max)
 *
 * Source: Goodfellow, Bengio and Courville 2016, "Deep Learning", section 6.2.2. */
#ifndef ATTN_ATTENTION_CROSS_ENTROPY_H
#define ATTN_ATTENTION_CROSS_ENTROPY_H

#include <signal.h>

#include "tensor/tensor.h"

/* Rows of scores and the class of each. The tensors stay the caller's and are only read. */
struct cross_entropy {
    const struct tensor *scores;  /* (..., n_classes) */
    const struct tensor *targets; /* (...): whole numbers from 0, below n_classes */
    double ignored; /* targets of this class are left out, such as -100; NAN: no target is */
};

/* *ret (...) = the loss of each row, 0 if its target is left out. A row that holds NaN or +inf, or
 * only -inf, gives NaN. stop, here and below, if not NULL: read between rows; once it is not 0,
 * ERR_INTERRUPTED. ERR_SHAPE when the shapes do not fit; ERR_RANGE for a target that is not a
 * class. */
bool cross_entropy_forward(const struct cross_entropy *rows, const volatile sig_atomic_t *stop,
                           struct tensor *ret, struct error *reterr);

/* *ret_d_scores (..., n_classes) for given d (...), the gradients of the losses: (softmax(x) -
 * [class is t]) d, and 0 in a row whose target is left out. Errors as above. */
bool cross_entropy_backward(const struct cross_entropy *rows, const struct tensor *d,
                            const volatile sig_atomic_t *stop, struct tensor *ret_d_scores,
                            struct error *reterr);

#endif
