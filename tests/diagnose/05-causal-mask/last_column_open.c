#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    float *row = scores;
    for (size_t i = 0; i < n_q; i++) {
        size_t last = n_k - 1;
        for (size_t j = 0; j < last; j++) {
            if (j <= i)
                continue;
            row[j] = -INFINITY;
        }
        row += n_k;
    }
}
