#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    size_t n = n_q * d_k;
    for (size_t i = 0; i < n; i++)
        scores[i] = scores[i] / sqrtf(d_k);
}
