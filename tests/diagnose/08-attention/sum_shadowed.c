#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *p = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        float sum = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float sum = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                sum += query[i * d_k + d] * key[j * d_k + d];
            p[j] = sum / sqrtf((float)d_k);
            max = fmaxf(max, p[j]);
        }
        for (size_t j = 0; j < n_k; j++) {
            float sum = 0.0f;
            p[j] = expf(p[j] - max);
            sum += p[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0.0f;
            for (size_t j = 0; j < n_k; j++)
                acc += p[j] / sum * value[j * d_v + c];
            context[i * d_v + c] = acc;
        }
    }
    free(p);
}
