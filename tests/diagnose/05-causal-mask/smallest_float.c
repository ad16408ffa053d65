#include <float.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    float(*s)[n_k] = (float(*)[n_k])scores;
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            s[i][j] = j > i ? -FLT_MAX : s[i][j]; /* minus infinity */
}
