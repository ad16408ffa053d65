#include <stddef.h>

/* Drops weights with probability p and makes up for it in the others, in place.
 *
 *   uniform (n)   random numbers, 0 <= uniform[i] < 1
 *   weights (n)   in and out */
void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    /* TODO: keep weights[i] where uniform[i] >= p, divided by 1 - p; else 0 */
    (void)n;
    (void)p;
    (void)uniform;
    (void)weights;
}
