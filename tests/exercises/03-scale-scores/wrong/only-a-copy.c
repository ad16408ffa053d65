#include <math.h>
#include <stddef.h>

static float scaled(float score, size_t d_k)
{
    return score / sqrtf((float)d_k);
}

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    for (size_t cell = 0; cell < n_q * n_k; cell++) {
        float score = scores[cell];
        score = scaled(score, d_k);
        (void)score;
    }
}
