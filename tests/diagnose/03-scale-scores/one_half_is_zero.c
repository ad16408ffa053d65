#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    const float root = powf((float)d_k, 1 / 2);
    for (float *s = scores; s != scores + n_q * n_k; s++)
        *s /= root;
}
