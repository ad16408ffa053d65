/* Scores in an array, then softmax, then the weighted sum. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    const size_t n_keys = n_past + 1;
    for (size_t c = 0; c < d_k; c++)
        key_cache[n_past * d_k + c] = new_key[c];
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past * d_v + c] = new_value[c];

    float *weights = malloc(n_keys * sizeof *weights);
    if (weights == NULL)
        return;
    float max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n_keys; j++) {
        float dot = 0;
        for (size_t c = 0; c < d_k; c++)
            dot += query[c] * key_cache[j * d_k + c];
        weights[j] = dot / sqrtf((float)d_k);
        max = fmaxf(max, weights[j]);
    }
    for (size_t j = 0; j < n_keys; j++) {
        weights[j] = expf(weights[j] - max);
        sum += weights[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = 0; j < n_keys; j++)
            context[c] += weights[j] / sum * value_cache[j * d_v + c];
    }
    free(weights);
}
