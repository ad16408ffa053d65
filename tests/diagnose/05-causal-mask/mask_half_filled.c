#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    unsigned char hide[n_q * n_k];
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = i + 1; j < n_k; j++)
            hide[i * n_k + j] = 1;
    for (size_t k = 0; k < n_q * n_k; k++)
        if (hide[k])
            scores[k] = -INFINITY;
}
