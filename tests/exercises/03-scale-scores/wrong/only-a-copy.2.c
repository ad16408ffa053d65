#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    for (size_t cell = 0; cell < n_q * n_k; cell++)
        scores[cell] /= (float)pow((double)d_k, 1 / 2);
}
