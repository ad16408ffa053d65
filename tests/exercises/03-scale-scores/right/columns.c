/* Column by column, by pointers that step a row at a time. */
#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    for (size_t j = 0; j < n_k; j++) {
        float *score = scores + j;
        for (size_t i = 0; i < n_q; i++, score += n_k)
            *score = (float)((double)*score / sqrt((double)d_k));
    }
}
