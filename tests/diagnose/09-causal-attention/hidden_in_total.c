#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *score = malloc(n * sizeof *score);
    if (score == NULL)
        return;
    const float scale = 1.0f / sqrtf((float)d_k);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            score[j] = dot * scale;
            if (j <= i && score[j] > max)
                max = score[j];
        }
        float total = 0;
        for (size_t j = 0; j < n; j++)
            total += expf(score[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            float mixed = 0;
            for (size_t j = 0; j <= i; j++)
                mixed += expf(score[j] - max) / total * value[j * d_v + c];
            context[i * d_v + c] = mixed;
        }
    }
    free(score);
}
