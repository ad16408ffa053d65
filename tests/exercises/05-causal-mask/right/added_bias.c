/* Adds 0 or -infinity to every score. */
#include <math.h>
#include <stddef.h>

static float bias(size_t i, size_t j)
{
    return j <= i ? 0.0f : -INFINITY;
}

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t cell = 0; cell < n_q * n_k; cell++)
        scores[cell] += bias(cell / n_k, cell % n_k);
}
