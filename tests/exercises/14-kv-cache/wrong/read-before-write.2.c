#include <math.h>
#include <stddef.h>
#include <string.h>

static double score(size_t d_k, const float *query, const float *key)
{
    double sum = 0;
    for (size_t c = 0; c < d_k; c++)
        sum += (double)query[c] * (double)key[c];
    return sum / sqrt((double)d_k);
}

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    double max = -INFINITY, sum = 0;
    for (size_t j = 0; j <= n_past; j++)
        max = fmax(max, score(d_k, query, key_cache + j * d_k));
    for (size_t j = 0; j <= n_past; j++)
        sum += exp(score(d_k, query, key_cache + j * d_k) - max);
    for (size_t c = 0; c < d_v; c++) {
        double mixed = 0;
        for (size_t j = 0; j <= n_past; j++)
            mixed += exp(score(d_k, query, key_cache + j * d_k) - max) / sum *
                     (double)value_cache[j * d_v + c];
        context[c] = (float)mixed;
    }
    memcpy(key_cache + n_past * d_k, new_key, d_k * sizeof *new_key);
    memcpy(value_cache + n_past * d_v, new_value, d_v * sizeof *new_value);
}
