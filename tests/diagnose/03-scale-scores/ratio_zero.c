#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    float factor = sqrtf(1 / d_k);
    float *p = scores;
    float *stop = scores + n_q * n_k;
    while (p < stop)
        *p++ *= factor;
}
