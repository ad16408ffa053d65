#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t at = 0; at < n_q * n_k; at++)
        scores[at] = at % n_k > at / n_k ? -INFINITY : scores[at];
}
