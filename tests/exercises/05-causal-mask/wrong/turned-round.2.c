#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static bool may_attend(size_t i, size_t j)
{
    return j <= i;
}

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++)
            scores[i * n_k + j] += may_attend(i, j) ? -INFINITY : 0.0f;
    }
}
