#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    size_t n = n_past + 1, j, d;
    float *p = calloc(n, sizeof *p);
    float largest, sum = 0;

    memcpy(&key_cache[n_past * d_k], new_key, d_k * sizeof(float));
    memcpy(&value_cache[n_past * d_v], new_value, d_v * sizeof(float));

    for (j = 0; j < n * d_k; j++)
        key_cache[j] /= sqrtf((float)d_k);
    for (j = 0; j < n; j++)
        for (d = 0; d < d_k; d++)
            p[j] += query[d] * key_cache[j * d_k + d];

    largest = p[0];
    for (j = 1; j < n; j++)
        largest = fmaxf(largest, p[j]);
    for (j = 0; j < n; j++)
        sum += p[j] = expf(p[j] - largest);

    memset(context, 0, d_v * sizeof(float));
    for (j = 0; j < n; j++)
        for (d = 0; d < d_v; d++)
            context[d] += p[j] / sum * value_cache[j * d_v + d];
    free(p);
}
