#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t q = 0; q < n_q; ++q)
        for (size_t k = 0; k < n_k; ++k)
            if (!(k < q))
                scores[q * n_k + k] = -INFINITY;
}
