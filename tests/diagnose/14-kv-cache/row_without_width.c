#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    for (size_t d = 0; d < d_k; d++)
        key_cache[n_past + d] = new_key[d];
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past + c] = new_value[c];

    float *weights = malloc((n_past + 1) * sizeof(float));
    if (!weights)
        return;
    float biggest = -INFINITY;
    for (size_t j = 0; j <= n_past; j++) {
        weights[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            weights[j] += query[d] * key_cache[j * d_k + d];
        weights[j] /= sqrtf((float)d_k);
        if (weights[j] > biggest)
            biggest = weights[j];
    }
    float sum = 0;
    for (size_t j = 0; j <= n_past; j++) {
        weights[j] = expf(weights[j] - biggest);
        sum += weights[j];
    }
    for (size_t c = 0; c < d_v; c++)
        context[c] = 0;
    for (size_t j = 0; j <= n_past; j++)
        for (size_t c = 0; c < d_v; c++)
            context[c] += weights[j] / sum * value_cache[j * d_v + c];
    free(weights);
}
