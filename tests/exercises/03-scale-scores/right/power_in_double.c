/* From the end, in double, with d_k to the power of -1/2. */
#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    const double scale = pow((double)d_k, -0.5);
    for (size_t left = n_q * n_k; left > 0; left--)
        scores[left - 1] = (float)(scores[left - 1] * scale);
}
