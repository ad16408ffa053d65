#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    float s = 1.0f / sqrtf((float)d_k);
    for (size_t i = 1; i < n_q * n_k; i++)
        scores[i] *= s;
}
