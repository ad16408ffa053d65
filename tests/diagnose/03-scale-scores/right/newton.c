#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    double r = d_k;
    for (int turn = 0; turn < 60; turn++)
        r = (r + d_k / r) / 2;
    for (size_t n = n_q * n_k; n --> 0;)
        scores[n] = scores[n] / r;
}
