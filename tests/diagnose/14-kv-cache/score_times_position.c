#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    size_t n = n_past + 1;
    for (size_t d = 0; d < d_k; d++)
        key_cache[n_past * d_k + d] = new_key[d];
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past * d_v + c] = new_value[c];
    float *s = malloc(n * sizeof *s);
    float top = -INFINITY;
    for (size_t j = 0; j < n; j++) {
        s[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            s[j] += query[d] * key_cache[j * d_k + d];
        s[j] /= sqrtf((float)d_k);
        s[j] -= 0.1f * (float)(n_past - j);
        if (s[j] > top)
            top = s[j];
    }
    float sum = 0;
    for (size_t j = 0; j < n; j++) {
        s[j] = expf(s[j] - top);
        sum += s[j];
    }
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0;
        for (size_t j = 0; j < n; j++)
            context[c] += s[j] / sum * value_cache[j * d_v + c];
    }
    free(s);
}

