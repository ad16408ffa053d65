#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void weights_of(size_t n_k, size_t d_k, const float *q, const float *key, float *w)
{
    float m = -INFINITY, z = 0;
    for (size_t j = 0; j < n_k; j++) {
        w[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            w[j] += q[d] * key[j * d_k + d];
        w[j] /= sqrtf(d_k);
        m = fmaxf(m, w[j]);
    }
    for (size_t j = 0; j < n_k; j++)
        z += w[j] = expf(w[j] - m);
    for (size_t j = 0; j < n_k; j++)
        w[j] /= z;
}

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *w = malloc(2 * n_k * sizeof *w), *dw = w + n_k;
    memset(d_query, 0, n_q * d_k * sizeof(float));
    memset(d_key, 0, n_k * d_k * sizeof(float));
    memset(d_value, 0, n_k * d_v * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        weights_of(n_k, d_k, query + i * d_k, key, w);
        float s = 0;
        for (size_t j = 0; j < n_k; j++) {
            dw[j] = 0;
            for (size_t c = 0; c < d_v; c++)
                dw[j] += d_context[i * d_v + c] * value[j * d_v + c];
            s += w[j] * dw[j];
            for (size_t c = 0; c < d_v; c++)
                d_value[j * d_v + c] += w[j] * d_context[i * d_v + c];
        }
        for (size_t j = 0; j < n_k; j++) {
            float back = w[j] * (dw[j] + s) / sqrtf(d_k);
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += back * key[j * d_k + d];
                d_key[j * d_k + d] += back * query[i * d_k + d];
            }
        }
    }
    free(w);
}
