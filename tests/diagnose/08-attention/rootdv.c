#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_k * sizeof(float));
    float scale = 1.0f / sqrtf((float)d_v);
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            w[j] = dot * scale;
            if (w[j] > top)
                top = w[j];
        }
        float total = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j < n_k; j++)
                sum += w[j] / total * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(w);
}
