#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key, const float *value, float *context)
{
    float *s = malloc(n_q * n_k * sizeof(float)), top = -INFINITY, total = 0;
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            s[i * n_k + j] = 0;
            for (size_t d = 0; d < d_k; d++)
                s[i * n_k + j] += query[i * d_k + d] * key[j * d_k + d];
            s[i * n_k + j] /= sqrtf(d_k);
            top = fmaxf(top, s[i * n_k + j]);
        }
    for (size_t i = 0; i < n_q * n_k; i++)
        total += s[i] = expf(s[i] - top);
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[i * d_v + c] += s[i * n_k + j] / total * value[j * d_v + c];
        }
    free(s);
}
