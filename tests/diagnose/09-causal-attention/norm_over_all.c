#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *score = (float *)calloc(n, sizeof(float));
    const float scale = 1.0f / sqrtf((float)d_k);
    for (size_t i = 0; i < n; i++) {
        const float *q = query + i * d_k;
        float peak = -INFINITY;
        for (size_t j = 0; j <= i; j++) {
            const float *k = key + j * d_k;
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += q[d] * k[d];
            score[j] = s * scale;
            if (score[j] > peak)
                peak = score[j];
        }
        float norm = 0;
        for (size_t j = 0; j < n; j++) {
            score[j] = expf(score[j] - peak);
            norm += score[j];
        }
        float *out = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t j = 0; j <= i; j++)
            for (size_t c = 0; c < d_v; c++)
                out[c] += score[j] / norm * value[j * d_v + c];
    }
    free(score);
}
