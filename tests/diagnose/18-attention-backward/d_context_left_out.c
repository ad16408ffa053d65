#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float scale = 1.0f / sqrtf((float)d_k);
    float *w = malloc(n_k * sizeof(float));
    float *dw = malloc(n_k * sizeof(float));
    memset(d_query, 0, n_q * d_k * sizeof(float));
    memset(d_key, 0, n_k * d_k * sizeof(float));
    memset(d_value, 0, n_k * d_v * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t c = 0; c < d_k; c++)
                s += query[i * d_k + c] * key[j * d_k + c];
            w[j] = s * scale;
            if (w[j] > max)
                max = w[j];
        }
        float sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - max);
            sum += w[j];
        }
        for (size_t j = 0; j < n_k; j++)
            w[j] /= sum;
        float total = 0;
        for (size_t j = 0; j < n_k; j++) {
            dw[j] = 0;
            for (size_t c = 0; c < d_v; c++) {
                dw[j] += value[j * d_v + c];
                d_value[j * d_v + c] += w[j] * d_context[i * d_v + c];
            }
            total += w[j] * dw[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            float ds = w[j] * (dw[j] - total) * scale;
            for (size_t c = 0; c < d_k; c++) {
                d_query[i * d_k + c] += ds * key[j * d_k + c];
                d_key[j * d_k + c] += ds * query[i * d_k + c];
            }
        }
    }
    free(w);
    free(dw);
}
