#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float compare(const float *q, const float *k, size_t len)
{
    float sum = 0;
    for (const float *end = q + len; q < end; q++, k++)
        sum += *q * *k;
    return sum / sqrtf((float)len);
}

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *w = malloc(n * sizeof(float));
    if (!w)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t seen = i + 1;
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < seen; j++) {
            w[j] = compare(query + j * d_k, key + i * d_k, d_k);
            if (w[j] > top)
                top = w[j];
        }
        float *to = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            to[c] = 0;
        for (size_t j = 0; j < seen; j++) {
            float e = expf(w[j] - top);
            total += e;
            for (size_t c = 0; c < d_v; c++)
                to[c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            to[c] /= total;
    }
    free(w);
}
