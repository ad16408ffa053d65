#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    int last = n_q * n_k - 1;
    for (int i = 0; i < last; i++)
        scores[i] /= sqrt(d_k);
}
