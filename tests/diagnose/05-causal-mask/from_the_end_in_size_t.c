#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t row = 0; row < n_q; row++) {
        for (size_t col = 0; col < n_k; col++) {
            if (col > row + n_k - n_q) {
                scores[row * n_k + col] = -INFINITY;
            }
        }
    }
}
