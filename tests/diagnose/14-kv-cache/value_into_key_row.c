#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    size_t n = n_past + 1;
    float *w = malloc(n * sizeof *w);
    if (w == NULL)
        return;
    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof *new_key);
    memcpy(value_cache + n_past * d_v, new_key, d_v * sizeof *new_value);
    (void)new_value;
    float top = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++) {
        w[j] = 0;
        for (size_t c = 0; c < d_k; c++)
            w[j] += query[c] * key_cache[j * d_k + c];
        w[j] /= sqrtf((float)d_k);
        top = fmaxf(top, w[j]);
    }
    for (size_t j = 0; j < n; j++) {
        w[j] = expf(w[j] - top);
        sum += w[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = 0; j < n; j++)
            context[c] += w[j] / sum * value_cache[j * d_v + c];
    }
    free(w);
}
