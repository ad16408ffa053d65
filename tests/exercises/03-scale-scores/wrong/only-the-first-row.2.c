#include <math.h>
#include <stddef.h>

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    const float root = sqrtf((float)d_k);
    size_t j = 0;
    for (size_t i = 0; i < n_q; i++) {
        for (; j < n_k; j++) /* never set back to 0 */
            scores[i * n_k + j] /= root;
    }
}
