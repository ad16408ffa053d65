#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    float divisor = (float)d_k;
    float *row = scores;
    for (size_t i = 0; i < n_q; i++, row += n_k) {
        divisor = sqrtf(divisor);
        for (size_t j = 0; j < n_k; j++)
            row[j] /= divisor;
    }
}
