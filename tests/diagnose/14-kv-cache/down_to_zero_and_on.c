#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    size_t n = n_past + 1;
    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof(float));
    memcpy(value_cache + n_past * d_v, new_value, d_v * sizeof(float));

    float *w = malloc(n * sizeof(float));
    float max = -INFINITY;
    for (size_t j = 0; j < n; j++) {
        const float *k = key_cache + j * d_k;
        w[j] = 0;
        for (size_t c = 0; c < d_k; c++)
            w[j] += query[c] * k[c];
        w[j] /= sqrtf((float)d_k);
        if (w[j] > max)
            max = w[j];
    }
    float sum = 0;
    for (size_t j = 0; j < n; j++) {
        w[j] = expf(w[j] - max);
        sum += w[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = n_past; j >= 0; j--) // newest first
            context[c] += w[j] * value_cache[j * d_v + c];
        context[c] /= sum;
    }
    free(w);
}
