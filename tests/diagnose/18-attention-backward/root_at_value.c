#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float root = sqrtf((float)d_k);
    float *p = malloc(n_k * sizeof *p), *dp = malloc(n_k * sizeof *dp);
    for (size_t i = 0; i < n_q * d_k; i++)
        d_query[i] = 0;
    for (size_t i = 0; i < n_k * d_k; i++)
        d_key[i] = 0;
    for (size_t i = 0; i < n_k * d_v; i++)
        d_value[i] = 0;
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, sum = 0, both = 0;
        for (size_t j = 0; j < n_k; j++) {
            p[j] = 0;
            for (size_t c = 0; c < d_k; c++)
                p[j] += query[i * d_k + c] * key[j * d_k + c];
            p[j] /= root;
            top = fmaxf(top, p[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += p[j] = expf(p[j] - top);
        for (size_t j = 0; j < n_k; j++) {
            p[j] /= sum;
            dp[j] = 0;
            for (size_t c = 0; c < d_v; c++) {
                dp[j] += d_context[i * d_v + c] * value[j * d_v + c];
                d_value[j * d_v + c] += p[j] * d_context[i * d_v + c] / root;
            }
            both += p[j] * dp[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            float ds = p[j] * (dp[j] - both) / root;
            for (size_t c = 0; c < d_k; c++) {
                d_query[i * d_k + c] += ds * key[j * d_k + c];
                d_key[j * d_k + c] += ds * query[i * d_k + c];
            }
        }
    }
    free(p);
    free(dp);
}

