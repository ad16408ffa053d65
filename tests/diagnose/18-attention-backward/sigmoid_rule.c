#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *p = malloc(n_k * sizeof *p), *dp = malloc(n_k * sizeof *dp);
    float scale = 1.0f / sqrtf((float)d_k);
    memset(d_query, 0, n_q * d_k * sizeof(float));
    memset(d_key, 0, n_k * d_k * sizeof(float));
    memset(d_value, 0, n_k * d_v * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k, *g = d_context + i * d_v;
        float top = -INFINITY, sum = 0, s = 0;
        for (size_t j = 0; j < n_k; j++) {
            p[j] = 0;
            for (size_t c = 0; c < d_k; c++)
                p[j] += q[c] * key[j * d_k + c];
            p[j] *= scale;
            top = fmaxf(top, p[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += p[j] = expf(p[j] - top);
        for (size_t j = 0; j < n_k; j++)
            p[j] /= sum;
        for (size_t j = 0; j < n_k; j++) {
            dp[j] = 0;
            for (size_t c = 0; c < d_v; c++) {
                dp[j] += g[c] * value[j * d_v + c];
                d_value[j * d_v + c] += p[j] * g[c];
            }
            s += p[j] * dp[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            float ds = p[j] * (1 - p[j]) * dp[j] * scale;
            for (size_t c = 0; c < d_k; c++) {
                d_query[i * d_k + c] += ds * key[j * d_k + c];
                d_key[j * d_k + c] += ds * q[c];
            }
        }
    }
    free(p);
    free(dp);
}
