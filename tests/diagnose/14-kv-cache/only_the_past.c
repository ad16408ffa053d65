#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    size_t n = n_past;
    float *s = malloc((n + 1) * sizeof(float));

    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof(float));
    memcpy(value_cache + n_past * d_v, new_value, d_v * sizeof(float));

    float m = -INFINITY;
    for (size_t j = 0; j < n; j++) {
        s[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            s[j] += query[d] * key_cache[j * d_k + d];
        s[j] /= sqrtf(d_k);
        if (s[j] > m) m = s[j];
    }
    float total = 0;
    for (size_t j = 0; j < n; j++) {
        s[j] = expf(s[j] - m);
        total += s[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = 0; j < n; j++)
            context[c] += s[j] * value_cache[j * d_v + c];
        context[c] /= total;
    }
    free(s);
}
