#include <math.h>
#include <stddef.h>
#include <string.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    const float scale = 1.0f / sqrtf((float)d_k);
    memset(d_query, 0, n_q * d_k * sizeof *d_query);
    memset(d_key, 0, n_k * d_k * sizeof *d_key);
    memset(d_value, 0, n_k * d_v * sizeof *d_value);
    for (size_t i = 0; i < n_q; i++) {
        float s = 0;
        for (size_t c = 0; c < d_v; c++)
            s += context[i * d_v + c] * d_context[i * d_v + c];
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0, dw = 0;
            for (size_t c = 0; c < d_k; c++)
                dot += query[i * d_k + c] * key[j * d_k + c];
            float w = expf(dot - lse[i]);
            for (size_t c = 0; c < d_v; c++) {
                dw += d_context[i * d_v + c] * value[j * d_v + c];
                d_value[j * d_v + c] += w * d_context[i * d_v + c];
            }
            float ds = w * (dw - s) * scale;
            for (size_t c = 0; c < d_k; c++) {
                d_query[i * d_k + c] += ds * key[j * d_k + c];
                d_key[j * d_k + c] += ds * query[i * d_k + c];
            }
        }
    }
}
