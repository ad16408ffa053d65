#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *w = malloc(n_k * sizeof *w);
    if (w == NULL)
        return;
    for (size_t t = 0; t < n_q * d_k; t++)
        d_query[t] = 0;
    for (size_t t = 0; t < n_k * d_k; t++)
        d_key[t] = 0;
    for (size_t t = 0; t < n_k * d_v; t++)
        d_value[t] = 0;
    float root = sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            w[j] = s / root;
            top = fmaxf(top, w[j]);
        }
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            w[j] /= total;
            float d_w = 0;
            for (size_t c = 0; c < d_v; c++) {
                d_w += d_context[i * d_v + c] * value[j * d_v + c];
                d_value[j * d_v + c] += w[j] * d_context[i * d_v + c];
            }
            float d_s = w[j] * (1 - w[j]) * d_w / root;
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += d_s * key[j * d_k + d];
                d_key[j * d_k + d] += d_s * query[i * d_k + d];
            }
        }
    }
    free(w);
}
