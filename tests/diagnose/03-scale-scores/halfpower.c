#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    double root = pow(d_k, 1 / 2);
    for (size_t i = 0; i < n_q * n_k; i++)
        scores[i] /= root;
}
