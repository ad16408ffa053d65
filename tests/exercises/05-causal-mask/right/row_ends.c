/* The tail of each row, by pointers; minus infinity as the logarithm of 0. */
#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    const float hidden = (float)log(0.0);
    float *row = scores;
    for (size_t seen = 1; seen <= n_q; seen++, row += n_k) {
        for (float *score = row + (seen < n_k ? seen : n_k); score < row + n_k; score++)
            *score = hidden;
    }
}
