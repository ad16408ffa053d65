/* One pass over the cache with a running maximum and sum; no array of weights. */
#include <math.h>
#include <stddef.h>
#include <string.h>

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t c = 0; c < n; c++)
        sum += a[c] * b[c];
    return sum;
}

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof *key_cache);
    memcpy(value_cache + n_past * d_v, new_value, d_v * sizeof *value_cache);

    const float scale = 1 / sqrtf((float)d_k);
    float max = -INFINITY, sum = 0;
    memset(context, 0, d_v * sizeof *context);
    for (size_t j = 0; j <= n_past; j++) {
        const float score = dot(d_k, query, key_cache + j * d_k) * scale;
        const float new_max = score > max ? score : max;
        const float shrink = expf(max - new_max), term = expf(score - new_max);
        sum = sum * shrink + term;
        for (size_t c = 0; c < d_v; c++)
            context[c] = context[c] * shrink + term * value_cache[j * d_v + c];
        max = new_max;
    }
    for (size_t c = 0; c < d_v; c++)
        context[c] /= sum;
}
