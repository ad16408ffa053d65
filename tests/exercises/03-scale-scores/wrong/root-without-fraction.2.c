#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    int root = 1;
    while ((size_t)(root + 1) * (size_t)(root + 1) <= d_k)
        root++;
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++)
            scores[i * n_k + j] = scores[i * n_k + j] / (float)root;
    }
}
