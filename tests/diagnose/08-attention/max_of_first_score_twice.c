#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *s = malloc(sizeof(float) * n_k);
    for (size_t i = 0; i < n_q; i++) {
        float sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            s[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                s[j] += query[i * d_k + d] * key[j * d_k + d];
        }
        float max = s[0];
        for (size_t j = 0; j < n_k; j++) {
            s[j] = expf(s[j] - max);
            sum += s[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n_k; j++)
                mix += s[j] * value[j * d_v + c];
            context[i * d_v + c] = mix / sum;
        }
    }
    free(s);
}
