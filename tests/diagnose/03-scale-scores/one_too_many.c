#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    size_t i, n = n_q * n_k;
    for (i = 0; i <= n; i++)
        scores[i] /= sqrtf((float)d_k);
}
