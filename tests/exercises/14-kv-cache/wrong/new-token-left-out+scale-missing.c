#include <math.h>
#include <stddef.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    for (size_t c = 0; c < d_k; c++)
        key_cache[n_past * d_k + c] = new_key[c];
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past * d_v + c] = new_value[c];
    float scores[64], max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n_past; j++) {
        scores[j] = 0;
        for (size_t c = 0; c < d_k; c++)
            scores[j] += query[c] * key_cache[j * d_k + c];
        max = fmaxf(max, scores[j]);
    }
    for (size_t j = 0; j < n_past; j++) {
        scores[j] = expf(scores[j] - max);
        sum += scores[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = 0; j < n_past; j++)
            context[c] += scores[j] / sum * value_cache[j * d_v + c];
    }
}
