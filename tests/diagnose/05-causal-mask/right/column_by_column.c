#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t key = n_k; key-- > 1;)
        for (size_t query = 0; query < key && query < n_q; query++)
            scores[query * n_k + key] = logf(0.0f);
}
