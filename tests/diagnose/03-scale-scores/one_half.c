#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    const float root = powf((float)d_k, 1 / 2);
    size_t count = n_q * n_k;

    for (size_t t = 0; t < count; t++)
        scores[t] /= root;
}
