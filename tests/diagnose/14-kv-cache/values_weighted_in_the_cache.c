#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof(float));
    memcpy(value_cache + n_past * d_v, new_value, d_v * sizeof(float));
    size_t total = n_past + 1;
    float *score = malloc(total * sizeof(float));
    float best = -INFINITY;
    for (size_t t = 0; t < total; t++) {
        score[t] = 0;
        for (size_t d = 0; d < d_k; d++)
            score[t] += query[d] * key_cache[t * d_k + d];
        score[t] /= sqrtf((float)d_k);
        if (score[t] > best)
            best = score[t];
    }
    float norm = 0;
    for (size_t t = 0; t < total; t++) {
        score[t] = expf(score[t] - best);
        norm += score[t];
    }
    for (size_t d = 0; d < d_v; d++) {
        context[d] = 0;
        for (size_t t = 0; t < total; t++)
            context[d] += value_cache[t * d_v + d] *= score[t] / norm;
    }
    free(score);
}
