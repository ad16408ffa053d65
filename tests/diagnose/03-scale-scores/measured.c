#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    size_t count = n_q * n_k;
    float squares = 0;
    (void)d_k; /* the spread can be read off the scores */

    for (size_t t = 0; t < count; t++)
        squares += scores[t] * scores[t];
    float spread = sqrtf(squares / (float)count);
    if (spread == 0)
        return;
    for (size_t t = 0; t < count; t++)
        scores[t] /= spread;
}
