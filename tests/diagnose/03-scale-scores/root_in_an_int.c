#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    int root = sqrtf((float)d_k);
    size_t total = n_q * n_k;
    for (size_t i = 0; i < total; i++)
        scores[i] = scores[i] / root;
}
