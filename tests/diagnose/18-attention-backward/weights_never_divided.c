#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *w = malloc(n_k * sizeof(float));
    float *dw = malloc(n_k * sizeof(float));
    float scale = 1.0f / sqrtf((float)d_k);

    memset(d_query, 0, n_q * d_k * sizeof(float));
    memset(d_key, 0, n_k * d_k * sizeof(float));
    memset(d_value, 0, n_k * d_v * sizeof(float));

    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += query[i * d_k + d] * key[j * d_k + d];
            w[j] *= scale;
            if (w[j] > max)
                max = w[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - max);
            sum += w[j];
        }
        float rowdot = 0;
        for (size_t j = 0; j < n_k; j++) {
            dw[j] = 0;
            for (size_t c = 0; c < d_v; c++) {
                d_value[j * d_v + c] += w[j] * d_context[i * d_v + c];
                dw[j] += d_context[i * d_v + c] * value[j * d_v + c];
            }
            rowdot += w[j] * dw[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            float ds = w[j] * (dw[j] - rowdot) * scale;
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += ds * key[j * d_k + d];
                d_key[j * d_k + d] += ds * query[i * d_k + d];
            }
        }
    }
    free(w);
    free(dw);
}
