#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    for (size_t e = 0; e < n_q * d_k; e++)
        d_query[e] = 0;
    for (size_t e = 0; e < n_k * d_k; e++)
        d_key[e] = 0;
    for (size_t e = 0; e < n_k * d_v; e++)
        d_value[e] = 0;
    float scale = 1 / sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        float s = 0;
        for (size_t c = 0; c < d_v; c++)
            s += context[i * d_v + c] * d_context[i * d_v + c];
        for (size_t j = 0; j < n_k; j++) {
            float score = 0;
            for (size_t c = 0; c < d_k; c++)
                score += query[i * d_k + c] * key[j * d_k + c];
            float w = expf(score * scale - lse[i]);
            float dw = 0;
            for (size_t c = 0; c < d_v; c++) {
                dw += d_context[i * d_v + c] * value[j * d_v + c];
                d_value[j * d_v + c] += d_context[i * d_v + c];
            }
            float ds = w * (dw - s);
            for (size_t c = 0; c < d_k; c++) {
                d_query[i * d_k + c] += ds * key[j * d_k + c];
                d_key[j * d_k + c] += ds * query[i * d_k + c];
            }
        }
    }
}
