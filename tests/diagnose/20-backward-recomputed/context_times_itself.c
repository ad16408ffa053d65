#include <math.h>
#include <stddef.h>
#include <string.h>

static float inner(size_t n, const float *a, const float *b)
{
    float r = 0;
    for (size_t i = 0; i < n; i++)
        r += a[i] * b[i];
    return r;
}

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    float root = sqrtf((float)d_k);
    memset(d_query, 0, n_q * d_k * sizeof *d_query);
    memset(d_key, 0, n_k * d_k * sizeof *d_key);
    memset(d_value, 0, n_k * d_v * sizeof *d_value);
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k, *ctx = context + i * d_v, *dc = d_context + i * d_v;
        float *dq = d_query + i * d_k;
        float s = inner(d_v, ctx, ctx);
        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k;
            float w = expf(inner(d_k, q, k) / root - lse[i]);
            float ds = w * (inner(d_v, dc, value + j * d_v) - s) / root;
            for (size_t d = 0; d < d_k; d++) {
                dq[d] += ds * k[d];
                d_key[j * d_k + d] += ds * q[d];
            }
            for (size_t c = 0; c < d_v; c++)
                d_value[j * d_v + c] += w * dc[c];
        }
    }
}
