#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    const float scale = 1.0f / sqrtf((float)d_k);
    for (size_t k = 0; k < n_q * d_k; k++)
        d_query[k] = 0;
    for (size_t k = 0; k < n_k * d_k; k++)
        d_key[k] = 0;
    for (size_t k = 0; k < n_k * d_v; k++)
        d_value[k] = 0;

    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k, *g = d_context + i * d_v;
        float s = 0;
        for (size_t c = 0; c < d_v; c++)
            s += context[i * d_v + c] * g[c];
        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k, *v = value + j * d_v;
            float dot = 0, dw = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += q[d] * k[d];
            float w = expf(dot * scale - lse[i]);
            for (size_t c = 0; c < d_v; c++) {
                dw += g[c] * v[c];
                d_value[j * d_v + c] = w * g[c];
            }
            float ds = w * (dw - s);
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += ds * scale * k[d];
                d_key[j * d_k + d] += ds * q[d];
            }
        }
    }
}
