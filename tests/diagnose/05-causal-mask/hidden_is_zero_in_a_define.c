#include <math.h>
#include <stddef.h>

#define HIDDEN 0.0f

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    size_t idx;
    for (idx = 0; idx < n_q * n_k; idx++) {
        size_t row = idx / n_k;
        size_t col = idx % n_k;
        if (col > row)
            scores[idx] = HIDDEN;
    }
}
