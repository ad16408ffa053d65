#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void scores_of(const float *q, const float *K, float *s, size_t n_k, size_t d_k)
{
    for (size_t j = 0; j < n_k; j++, K += d_k) {
        s[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            s[j] += q[d] * K[d];
        s[j] /= sqrtf((float)d_k);
    }
}

static float *softmax(float *s, size_t n)
{
    float max = s[0], sum = 0;
    for (size_t j = 1; j < n; j++)
        max = fmaxf(max, s[j]);
    for (size_t j = 0; j < n; j++)
        sum += expf(s[j] - max);
    for (size_t j = 0; j < n; j++)
        s[j] = expf(s[j] - max) / sum;
    return s;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *s = malloc(n_k * sizeof *s);
    for (size_t i = 0; i < n_q; i++) {
        scores_of(query + i * d_k, key, s, n_k, d_k);
        softmax(s, n_k);
        const float *w = softmax(s, n_k);
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j < n_k; j++)
                sum += w[j] * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(s);
}
