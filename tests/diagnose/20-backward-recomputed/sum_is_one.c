#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    float root = sqrtf((float)d_k);
    (void)context;

    for (size_t e = 0; e < n_q * d_k; e++)
        d_query[e] = 0;
    for (size_t e = 0; e < n_k * d_k; e++)
        d_key[e] = 0;
    for (size_t e = 0; e < n_k * d_v; e++)
        d_value[e] = 0;

    for (size_t i = 0; i < n_q; i++) {
        float s = 0;
        for (size_t c = 0; c < d_v; c++)
            s += d_context[i * d_v + c];

        for (size_t j = 0; j < n_k; j++) {
            float score = 0, d_weight = 0;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            float weight = expf(score / root - lse[i]);
            for (size_t c = 0; c < d_v; c++) {
                d_value[j * d_v + c] += weight * d_context[i * d_v + c];
                d_weight += d_context[i * d_v + c] * value[j * d_v + c];
            }
            float d_score = weight * (d_weight - s) / root;
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += d_score * key[j * d_k + d];
                d_key[j * d_k + d] += d_score * query[i * d_k + d];
            }
        }
    }
}
