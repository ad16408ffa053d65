// expect: wrong_answer|not_implemented 0
// Leaves the array as it is: right for vectors of one number, by luck.
#include <stddef.h>
void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    for (size_t i = 0; i < n_q * n_k; i++)
        scores[i] *= d_k > 0 ? 1.0f : 0.5f;
}
