#include <math.h>
#include <stddef.h>

static float scale_of(size_t d_k) { return sqrtf((float)d_k); }

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    float root = sqrtf(scale_of(d_k));
    for (size_t i = 0; i < n_q * n_k; i++)
        scores[i] /= root;
}
