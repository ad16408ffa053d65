#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    const float root = sqrtf((float)d_k);
    float *w = malloc(2 * n_k * sizeof *w), *d = w + n_k;
    if (w == NULL)
        return;
    for (size_t at = 0; at < n_q * d_k; at++)
        d_query[at] = 0;
    for (size_t at = 0; at < n_k * d_k; at++)
        d_key[at] = 0;
    for (size_t at = 0; at < n_k * d_v; at++)
        d_value[at] = 0;
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, total = 0, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = 0;
            for (size_t c = 0; c < d_k; c++)
                w[j] += query[i * d_k + c] * key[j * d_k + c];
            w[j] /= root;
            max = fmaxf(max, w[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            total += w[j] = expf(w[j] - max);
        for (size_t j = 0; j < n_k; j++) {
            w[j] /= total;
            d[j] = 0;
            for (size_t c = 0; c < d_v; c++)
                d[j] += d_context[i * d_v + c] * value[j * d_v + c];
            sum += w[j] * d[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            const float d_score = w[j] * (d[j] - sum);
            for (size_t c = 0; c < d_k; c++) {
                d_query[i * d_k + c] += d_score * key[j * d_k + c];
                d_key[j * d_k + c] += d_score * query[i * d_k + c];
            }
            for (size_t c = 0; c < d_v; c++)
                d_value[j * d_v + c] += w[j] * d_context[i * d_v + c];
        }
    }
    free(w);
}
