#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *e = calloc(n_q + n_k, sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            e[j] = dot / sqrtf((float)d_k);
            max = fmaxf(max, e[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            e[j] = expf(e[j] - max);
        float sum = 0;
        for (size_t j = 0; j < n_q; j++)
            sum += e[j];
        for (size_t c = 0; c < d_v; c++) {
            float v = 0;
            for (size_t j = 0; j < n_k; j++)
                v += e[j] * value[j * d_v + c];
            context[i * d_v + c] = v / sum;
        }
    }
    free(e);
}
