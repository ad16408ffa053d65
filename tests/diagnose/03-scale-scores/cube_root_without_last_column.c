#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    float s = cbrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k - 1; j++)
            scores[i * n_k + j] = scores[i * n_k + j] / s;
}
