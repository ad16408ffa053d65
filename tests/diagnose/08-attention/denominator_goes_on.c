#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_k * sizeof(float));
    float denom = 0.0f;

    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            w[j] = s / sqrtf((float)d_k);
            max = fmaxf(max, w[j]);
        }
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - max);
            denom += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float s = 0.0f;
            for (size_t j = 0; j < n_k; j++)
                s += w[j] * value[j * d_v + c];
            context[i * d_v + c] = s / denom;
        }
    }
    free(w);
}
