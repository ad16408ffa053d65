#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc(n_q * n_k * sizeof(float));
    float *q = malloc(d_k * sizeof(float));
    float scale = 1.0f / sqrtf((float)d_k);

    for (size_t i = 0; i < n_q; i++) {
        for (size_t d = 0; d < d_k; d++)
            q[d] = query[i * d_k + d] * scale;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += q[d] * key[j * d_k + d];
            scores[i * n_k + j] = s * scale;
        }
    }
    memset(context, 0, n_q * d_v * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float *s = scores + i * n_k;
        float m = s[0], z = 0;
        for (size_t j = 0; j < n_k; j++)
            m = fmaxf(m, s[j]);
        for (size_t j = 0; j < n_k; j++) {
            s[j] = expf(s[j] - m);
            z += s[j];
        }
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += s[j] / z * value[j * d_v + c];
    }
    free(q);
    free(scores);
}
