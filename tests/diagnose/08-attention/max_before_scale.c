#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *s = malloc(n_k * sizeof *s);
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            s[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                s[j] += query[i * d_k + d] * key[j * d_k + d];
            if (s[j] > max)
                max = s[j];
        }
        float sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            s[j] = expf(s[j] / sqrtf((float)d_k) - max);
            sum += s[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float x = 0;
            for (size_t j = 0; j < n_k; j++)
                x += s[j] * value[j * d_v + c];
            context[i * d_v + c] = x / sum;
        }
    }
    free(s);
}
