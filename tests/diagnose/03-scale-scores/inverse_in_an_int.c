#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    size_t i, inv;
    inv = 1 / sqrt(d_k);
    for (i = 0; i < n_q * n_k; i++)
        scores[i] *= inv;
}
