#include <math.h>
#include <stddef.h>

static void scale(float x, float by) { x = x / by; }

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            scale(scores[i * n_k + j], sqrtf((float)d_k));
}
