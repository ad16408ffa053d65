#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void row_scores(size_t n_k, size_t d_k, const float *q, const float *key, float *out)
{
    for (size_t j = 0; j < n_k; j++) {
        out[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            out[j] += q[d] * key[j * d_k + d];
        out[j] /= sqrtf((float)d_k);
    }
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = (float *)malloc(sizeof(float) * n_k);
    float max, total = 0;
    if (w == NULL)
        return;
    for (size_t i = 0; i < n_q; i++) {
        row_scores(n_k, d_k, query + i * d_k, key, w);
        max = w[0];
        for (size_t j = 1; j < n_k; j++)
            max = fmaxf(max, w[j]);
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - max);
            total += w[j];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += w[j] * value[j * d_v + c] / total;
    }
    free(w);
}
