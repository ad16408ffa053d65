#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    const float scale = 1.0f / sqrtf((float)d_k);
    for (size_t e = 0; e < n_q * d_k; e++)
        d_query[e] = 0;
    for (size_t j = 0; j < n_k; j++) {
        for (size_t d = 0; d < d_k; d++)
            d_key[j * d_k + d] = 0;
        for (size_t c = 0; c < d_v; c++)
            d_value[j * d_v + c] = 0;
        for (size_t i = 0; i < n_q; i++) {
            float score = 0, s = 0, dw = 0;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            float w = expf(score * scale) / expf(lse[i]);
            for (size_t c = 0; c < d_v; c++) {
                float g = d_context[i * d_v + c];
                s += g * context[i * d_v + c];
                dw += g * value[j * d_v + c];
                d_value[j * d_v + c] += w * g;
            }
            float ds = w * (dw - s) * scale;
            for (size_t d = 0; d < d_k; d++) {
                d_key[j * d_k + d] += ds * query[i * d_k + d];
                d_query[i * d_k + d] += ds * key[j * d_k + d];
            }
        }
    }
}
