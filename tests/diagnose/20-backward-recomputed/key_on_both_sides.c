#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    const float scale = 1.0f / sqrtf((float)d_k);

    for (size_t j = 0; j < n_k; j++) {
        for (size_t d = 0; d < d_k; d++)
            d_key[j * d_k + d] = 0;
        for (size_t c = 0; c < d_v; c++)
            d_value[j * d_v + c] = 0;
    }
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        const float *g = d_context + i * d_v;
        float *dq = d_query + i * d_k;
        float s = 0;
        for (size_t c = 0; c < d_v; c++)
            s += g[c] * context[i * d_v + c];
        for (size_t d = 0; d < d_k; d++)
            dq[d] = 0;
        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k;
            float x = 0, dw = 0;
            for (size_t d = 0; d < d_k; d++)
                x += q[d] * k[d];
            for (size_t c = 0; c < d_v; c++)
                dw += g[c] * value[j * d_v + c];
            float w = expf(x * scale - lse[i]);
            float ds = scale * w * (dw - s);
            for (size_t c = 0; c < d_v; c++)
                d_value[j * d_v + c] += w * g[c];
            for (size_t d = 0; d < d_k; d++)
                dq[d] += ds * k[d];
            for (size_t d = 0; d < d_k; d++)
                d_key[j * d_k + d] += ds * k[d];
        }
    }
}
