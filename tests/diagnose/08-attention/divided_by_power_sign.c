#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *s = malloc(sizeof(float) * n_k);
    for (size_t i = 0; i < n_q; i++) {
        // scores
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            s[j] = dot / (d_k ^ 2);
        }
        // softmax
        float m = s[0];
        for (size_t j = 1; j < n_k; j++)
            if (s[j] > m) m = s[j];
        float z = 0;
        for (size_t j = 0; j < n_k; j++) {
            s[j] = expf(s[j] - m);
            z += s[j];
        }
        for (size_t j = 0; j < n_k; j++)
            s[j] = s[j] / z;
        // mix
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n_k; j++)
                mix += s[j] * value[j * d_v + c];
            context[i * d_v + c] = mix;
        }
    }
    free(s);
}
