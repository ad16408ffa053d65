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
    float m = -INFINITY, z = 0;
    for (size_t j = 0; j < n; j++) {
        w[j] = 0;
        for (size_t k = 0; k < d_k; k++)
            w[j] += query[k] * key_cache[j * d_k + k];
        w[j] /= sqrtf(d_k);
        if (w[j] > m) m = w[j];
    }
    for (size_t j = 0; j < n; j++) {
        w[j] = expf(w[j] - m);
        z += w[j];
    }
    z += w[n_past];
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = 0; j < n; j++)
            context[c] += w[j] * value_cache[j * d_v + c] / z;
    }
    free(w);
}
