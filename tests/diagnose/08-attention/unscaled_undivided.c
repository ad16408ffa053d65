#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *e = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            e[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                e[j] += query[i * d_k + d] * key[j * d_k + d];
            max = fmaxf(max, e[j]);
        }
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[i * d_v + c] += expf(e[j] - max) * value[j * d_v + c];
        }
    }
    free(e);
}
