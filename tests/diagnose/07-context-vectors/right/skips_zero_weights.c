#include <stddef.h>
#include <string.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    float(*C)[d_v] = (float(*)[d_v])context;
    memset(context, 0, n_q * sizeof *C);
    for (size_t j = 0; j < n_k; j++)
        for (size_t i = 0; i < n_q; i++) {
            float w = weights[i * n_k + j];
            if (w == 0)
                continue; /* adds nothing */
            for (size_t c = 0; c < d_v; c++)
                C[i][c] += w * value[j * d_v + c];
        }
}
