#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    float *scores = malloc((n_past + 1) * sizeof(float));
    float max = -INFINITY;
    for (size_t j = 0; j <= n_past; j++) {
        scores[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            scores[j] += query[d] * key_cache[j * d_k + d];
        scores[j] /= sqrtf((float)d_v);
        max = fmaxf(max, scores[j]);
    }
    float sum = 0;
    for (size_t j = 0; j <= n_past; j++) {
        scores[j] = expf(scores[j] - max);
        sum += scores[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        float acc = 0;
        for (size_t j = 0; j <= n_past; j++)
            acc += scores[j] * value_cache[j * d_v + c];
        context[c] = acc / sum;
    }
    /* put the new token in the cache */
    for (size_t d = 0; d < d_k; d++)
        key_cache[n_past * d_k + d] = new_key[d];
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past * d_v + c] = new_value[c];
    free(scores);
}
