#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    for (size_t t = 0; t < n_q * d_k; t++)
        d_query[t] = 0;
    for (size_t t = 0; t < n_k * d_k; t++)
        d_key[t] = 0;
    for (size_t t = 0; t < n_k * d_v; t++)
        d_value[t] = 0;

    float root = sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        float s = 0;
        for (size_t c = 0; c < d_v; c++)
            s += context[i * d_v + c] * d_context[i * d_v + c];
        for (size_t j = 0; j < n_k; j++) {
            float score = 0, dw = 0;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            float w = expf(score / root - lse[i]);
            for (size_t c = 0; c < d_v; c++) {
                dw += d_context[i * d_v + c] * value[j * d_v + c];
                d_value[j * d_v + c] += w * d_context[i * d_v + c];
            }
            float ds = (w * dw - s) / root;
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += ds * key[j * d_k + d];
                d_key[j * d_k + d] += ds * query[i * d_k + d];
            }
        }
    }
}
