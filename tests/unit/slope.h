/* Finite differences, for tests of gradients. */
#ifndef ATTN_TESTS_SLOPE_H
#define ATTN_TESTS_SLOPE_H

#include "testing.h"

#include <math.h>

/* A loss of what context holds. */
typedef double loss_function(const void *context);

/* How fast the loss grows with *number: the central difference over a step of 1/64. Its error is
 * about step^2 / 6 times the third derivative, some 1e-4 for the smooth losses of these tests, plus
 * the rounding of float32 results over the step, some 1e-5. */
static inline double slope(float *number, loss_function *loss, const void *context)
{
    float kept = *number;
    float above = kept + 0x1p-6f, below = kept - 0x1p-6f;
    *number = above;
    double loss_above = loss(context);
    *number = below;
    double loss_below = loss(context);
    *number = kept;
    return (loss_above - loss_below) / ((double)above - (double)below);
}

/* Every number of *gradient is the slope along the same number of the dense tensor *x; where that
 * is infinite, no step changes the loss, and the gradient is 0. */
static inline void check_slopes(const struct tensor *gradient, struct tensor *x,
                                loss_function *loss, const void *context)
{
    assert_true(tensor_is_dense(x));
    assert_true(tensor_same_shape(gradient, x));
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++) {
        double want = isinf(x->data[at]) ? 0 : slope(&x->data[at], loss, context);
        assert_close(tensor_at_position(gradient, at), want, 1e-3);
    }
}

/* The sum of all numbers of x, each times the number of `direction` at its place: a loss whose
 * gradient with respect to x is `direction`. */
static inline double weighted_total(const struct tensor *x, const struct tensor *direction)
{
    double total = 0;
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++)
        total += (double)tensor_at_position(x, at) * (double)tensor_at_position(direction, at);
    return total;
}

#endif
