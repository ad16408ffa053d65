#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    const float scale = 1.0f / sqrtf((float)d_k);
    for (size_t c = 0; c < d_k; c++)
        key_cache[n_past * d_k + c] = new_key[c] * scale;
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past * d_v + c] = new_value[c];
    float *p = malloc((n_past + 1) * sizeof(float));
    if (p == NULL)
        return;
    float m = -INFINITY;
    for (size_t j = 0; j <= n_past; j++) {
        float s = 0;
        for (size_t c = 0; c < d_k; c++)
            s += query[c] * key_cache[j * d_k + c];
        p[j] = s * scale;
        if (p[j] > m)
            m = p[j];
    }
    float z = 0;
    for (size_t j = 0; j <= n_past; j++)
        z += p[j] = expf(p[j] - m);
    for (size_t c = 0; c < d_v; c++) {
        float o = 0;
        for (size_t j = 0; j <= n_past; j++)
            o += p[j] * value_cache[j * d_v + c];
        context[c] = o / z;
    }
    free(p);
}
