#include <math.h>
#include <stddef.h>

static int later(size_t key, size_t query)
{
    return key > query + 1;
}

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            if (later(j, i))
                scores[i * n_k + j] = INFINITY;
}
