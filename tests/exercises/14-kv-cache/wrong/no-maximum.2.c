#include <math.h>
#include <stddef.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    const size_t n_keys = n_past + 1;
    for (size_t c = 0; c < d_k; c++)
        key_cache[n_past * d_k + c] = new_key[c];
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past * d_v + c] = new_value[c];
    double sum = 0, mixed[64] = {0};
    for (size_t j = 0; j < n_keys; j++) {
        double dot = 0;
        for (size_t c = 0; c < d_k; c++)
            dot += (double)query[c] * (double)key_cache[j * d_k + c];
        const double term = exp(dot / sqrt((double)d_k));
        sum += term;
        for (size_t c = 0; c < d_v; c++)
            mixed[c] += term * (double)value_cache[j * d_v + c];
    }
    for (size_t c = 0; c < d_v; c++)
        context[c] = (float)(mixed[c] / sum);
}
