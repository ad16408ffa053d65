#include <math.h>
#include <stddef.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    float r = 1.0f / sqrtf(d_k);
    size_t i, j, c;
    for (i = 0; i < n_q * d_k; i++) d_query[i] = 0;
    for (i = 0; i < n_k * d_k; i++) d_key[i] = 0;
    for (i = 0; i < n_k * d_v; i++) d_value[i] = 0;
    for (i = 0; i < n_q; i++) {
        float delta = 0;
        for (c = 0; c < d_v; c++) delta += context[i * d_v + c] * d_context[i * d_v + c];
        for (j = 0; j < n_k; j++) {
            float t = 0, u = 0, w, g;
            for (c = 0; c < d_k; c++) t += query[i * d_k + c] * key[j * d_k + c];
            w = expf(t * r - lse[j]);
            for (c = 0; c < d_v; c++) u += d_context[i * d_v + c] * value[j * d_v + c];
            g = w * (u - delta) * r;
            for (c = 0; c < d_v; c++) d_value[j * d_v + c] += w * d_context[i * d_v + c];
            for (c = 0; c < d_k; c++) d_query[i * d_k + c] += g * key[j * d_k + c];
            for (c = 0; c < d_k; c++) d_key[j * d_k + c] += g * query[i * d_k + c];
        }
    }
}
