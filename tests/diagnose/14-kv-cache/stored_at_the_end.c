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
    float top = -INFINITY, total = 0;
    for (size_t j = 0; j < n; j++) {
        float s = 0;
        for (size_t d = 0; d < d_k; d++)
            s += query[d] * key_cache[j * d_k + d];
        w[j] = s / sqrtf((float)d_k);
        top = fmaxf(top, w[j]);
    }
    for (size_t j = 0; j < n; j++) {
        w[j] = expf(w[j] - top);
        total += w[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        float s = 0;
        for (size_t j = 0; j < n; j++)
            s += w[j] * value_cache[j * d_v + c];
        context[c] = s / total;
    }
    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof(float));
    memcpy(value_cache + n_past * d_v, new_value, d_v * sizeof(float));
    free(w);
}
