#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    memcpy(key_cache + n_past * d_k, new_key, d_k);
    memcpy(value_cache + n_past * d_v, new_value, d_v);

    size_t n = n_past + 1;
    float *w = malloc(n * sizeof *w), top = -INFINITY, total = 0;
    for (size_t j = 0; j < n; j++) {
        float dot = 0;
        for (size_t d = 0; d < d_k; d++)
            dot += query[d] * key_cache[j * d_k + d];
        w[j] = dot / sqrtf((float)d_k);
        if (w[j] > top)
            top = w[j];
    }
    for (size_t j = 0; j < n; j++) {
        w[j] = expf(w[j] - top);
        total += w[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = 0; j < n; j++)
            context[c] += w[j] / total * value_cache[j * d_v + c];
    }
    free(w);
}
