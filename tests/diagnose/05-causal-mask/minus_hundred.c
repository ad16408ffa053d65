#include <stddef.h>

#define HIDDEN (-100.0f)

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            if (i >= j)
                continue;
            scores[i * n_k + j] = HIDDEN;
        }
    }
}
