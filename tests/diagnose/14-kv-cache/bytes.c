#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    memcpy(&key_cache[n_past * d_k], new_key, d_k);
    memcpy(&value_cache[n_past * d_v], new_value, d_v);

    float *scores = malloc((n_past + 1) * sizeof(float));
    if (!scores)
        return;

    float max = -INFINITY;
    for (size_t j = 0; j <= n_past; j++) {
        scores[j] = 0.0f;
        for (size_t d = 0; d < d_k; d++)
            scores[j] += query[d] * key_cache[j * d_k + d];
        scores[j] /= sqrtf((float)d_k);
        if (scores[j] > max)
            max = scores[j];
    }

    float sum = 0.0f;
    for (size_t j = 0; j <= n_past; j++)
        sum += scores[j] = expf(scores[j] - max);

    for (size_t c = 0; c < d_v; c++) {
        float mix = 0.0f;
        for (size_t j = 0; j <= n_past; j++)
            mix += scores[j] * value_cache[j * d_v + c];
        context[c] = mix / sum;
    }
    free(scores);
}
