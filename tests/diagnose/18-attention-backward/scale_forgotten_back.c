#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *w = malloc(n_k * sizeof *w), *dw = malloc(n_k * sizeof *dw);
    const float scale = 1.0f / sqrtf((float)d_k);
    memset(d_query, 0, n_q * d_k * sizeof *d_query);
    memset(d_key, 0, n_k * d_k * sizeof *d_key);
    memset(d_value, 0, n_k * d_v * sizeof *d_value);
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, sum = 0, s = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = 0;
            for (size_t c = 0; c < d_k; c++)
                w[j] += query[i * d_k + c] * key[j * d_k + c];
            w[j] *= scale;
            top = fmaxf(top, w[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += w[j] = expf(w[j] - top);
        for (size_t j = 0; j < n_k; j++) {
            w[j] /= sum;
            dw[j] = 0;
            for (size_t c = 0; c < d_v; c++) {
                d_value[j * d_v + c] += w[j] * d_context[i * d_v + c];
                dw[j] += d_context[i * d_v + c] * value[j * d_v + c];
            }
            s += w[j] * dw[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            float ds = w[j] * (dw[j] - s);
            for (size_t c = 0; c < d_k; c++) {
                d_query[i * d_k + c] += ds * key[j * d_k + c];
                d_key[j * d_k + c] += ds * query[i * d_k + c];
            }
        }
    }
    free(w);
    free(dw);
}
