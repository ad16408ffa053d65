#include <math.h>
#include <stddef.h>
#include <string.h>

// One pass from the newest token to the oldest. The new one starts with weight 1 and its own score as
// the maximum, so there is no -INFINITY anywhere.
static double dot(size_t d, const float *a, const float *b)
{
    double s = 0;
    for (size_t c = 0; c < d; ++c) s += (double)a[c] * b[c];
    return s / sqrt((double)d);
}

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    double top = dot(d_k, query, new_key), sum = 1;
    double mix[d_v];
    for (size_t c = 0; c < d_v; ++c) mix[c] = new_value[c];

    for (size_t j = n_past; j-- > 0;) {
        double s = dot(d_k, query, &key_cache[j * d_k]);
        double old = 1, fresh;
        if (s > top) {
            old = exp(top - s);
            top = s;
        }
        fresh = exp(s - top);
        sum = sum * old + fresh;
        for (size_t c = 0; c < d_v; ++c) mix[c] = mix[c] * old + fresh * value_cache[j * d_v + c];
    }

    for (size_t c = 0; c < d_v; ++c) context[c] = (float)(mix[c] / sum);
    memcpy(&key_cache[n_past * d_k], new_key, sizeof(float[d_k]));
    memcpy(&value_cache[n_past * d_v], new_value, sizeof(float[d_v]));
}
