#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    float div = sqrtf((float)d_k);
    for (size_t q = 0; q < n_q; q++)
        for (size_t k = 0; k < n_k; k++)
            scores[q * d_k + k] = scores[q * d_k + k] / div;
}
