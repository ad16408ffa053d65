#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *e = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            e[j] = dot / sqrtf((float)d_k);
            if (e[j] > top)
                top = e[j];
        }
        float total = 0;
        for (size_t j = 0; j < n_k; j++) {
            e[j] = expf(e[j] - top);
            total += e[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float mixed = 0;
            for (size_t j = 0; j < n_k; j++) {
                mixed += e[j] * value[j * d_v + c];
                mixed /= total;
            }
            context[i * d_v + c] = mixed;
        }
    }
    free(e);
}
