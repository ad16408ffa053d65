#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY, z = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            w[j] = s / sqrtf((float)d_k);
            if (w[j] > m) m = w[j];
        }
        for (size_t j = 0; j < n_k; j++)
            z += w[j] = expf(w[j] - m);
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n_k; j++)
                acc += w[j] / z * value[j * d_v + c];
            context[c * n_q + i] = acc;
        }
    }
    free(w);
}
