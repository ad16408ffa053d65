#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *scores = calloc(n * n, sizeof(float));
    if (scores == NULL)
        return;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            for (size_t d = 0; d < d_k; d++)
                scores[i * n + j] += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n + j] /= sqrtf((float)d_k);
        }

    for (size_t i = 0; i < n; i++) {
        float *s = scores + i * n;
        float top = s[0];
        for (size_t j = 1; j < n; j++)
            if (s[j] > top)
                top = s[j];
        float total = 0;
        for (size_t j = 0; j < n; j++) {
            s[j] = expf(s[j] - top);
            total += s[j];
        }
        for (size_t j = 0; j < n; j++)
            s[j] /= total;
    }

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n; j++)
                context[i * d_v + c] += scores[i * n + j] * value[j * d_v + c];
        }
    free(scores);
}
