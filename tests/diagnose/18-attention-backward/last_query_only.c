#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *buf = malloc(2 * n_k * sizeof *buf);
    if (!buf) return;
    float *p = buf, *dp = buf + n_k;
    const float scale = 1.0f / sqrtf((float)d_k);

    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k, *dc = d_context + i * d_v;
        float *dq = d_query + i * d_k;

        memset(dq, 0, d_k * sizeof(float));
        memset(d_key, 0, n_k * d_k * sizeof(float));
        memset(d_value, 0, n_k * d_v * sizeof(float));

        float m = -INFINITY, z = 0, s = 0;
        for (size_t j = 0; j < n_k; j++) {
            p[j] = 0;
            for (size_t d = 0; d < d_k; d++) p[j] += q[d] * key[j * d_k + d];
            p[j] *= scale;
            if (p[j] > m) m = p[j];
        }
        for (size_t j = 0; j < n_k; j++) z += p[j] = expf(p[j] - m);
        for (size_t j = 0; j < n_k; j++) {
            p[j] /= z;
            dp[j] = 0;
            for (size_t c = 0; c < d_v; c++) dp[j] += dc[c] * value[j * d_v + c];
            s += p[j] * dp[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            float ds = p[j] * (dp[j] - s) * scale;
            for (size_t c = 0; c < d_v; c++) d_value[j * d_v + c] += p[j] * dc[c];
            for (size_t d = 0; d < d_k; d++) {
                dq[d] += ds * key[j * d_k + d];
                d_key[j * d_k + d] += ds * q[d];
            }
        }
    }
    free(buf);
}
