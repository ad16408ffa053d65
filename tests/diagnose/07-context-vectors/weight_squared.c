#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    float *scaled = malloc(n_k * d_v * sizeof *scaled);
    memset(context, 0, n_q * d_v * sizeof *context);
    for (size_t i = 0; i < n_q; i++) {
        /* weigh the values */
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                scaled[j * d_v + c] = weights[i * n_k + j] * value[j * d_v + c];
        /* add them up */
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += weights[i * n_k + j] * scaled[j * d_v + c];
    }
    free(scaled);
}
