#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static double score(const float *q, const float *k, size_t d_k)
{
    double s = 0;
    for (size_t d = 0; d < d_k; d++)
        s += (double)q[d] * k[d];
    return s / sqrt((double)d_k);
}

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    float *last_key = key_cache + n_past * d_k;
    float *last_value = value_cache + n_past * d_v;
    (void)new_key;
    for (size_t d = 0; d < d_k; d++)
        *last_key++ = query[d];
    for (size_t c = 0; c < d_v; c++)
        *last_value++ = new_value[c];

    double top = -INFINITY, total = 0;
    for (size_t j = 0; j <= n_past; j++)
        top = fmax(top, score(query, key_cache + j * d_k, d_k));

    double *mix = calloc(d_v, sizeof *mix);
    if (mix == NULL)
        return;
    for (size_t j = 0; j <= n_past; j++) {
        double e = exp(score(query, key_cache + j * d_k, d_k) - top);
        total += e;
        for (size_t c = 0; c < d_v; c++)
            mix[c] += e * value_cache[j * d_v + c];
    }
    for (size_t c = 0; c < d_v; c++)
        context[c] = (float)(mix[c] / total);
    free(mix);
}
