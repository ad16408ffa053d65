#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(const float *restrict a, const float *restrict b, size_t d)
{
    float part[8] = {0};
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        for (int t = 0; t < 8; t++)
            part[t] += a[c + t] * b[c + t];
    float rest = 0;
    for (; c < d; c++)
        rest = a[c] * b[c];
    for (int t = 0; t < 8; t++)
        rest += part[t];
    return rest;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *w = malloc(n * sizeof *w);
    const float scale = 1.0f / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        const float *restrict q = query + i * d;
        float *restrict out = context + i * d;
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = dot(q, key + j * d, d) * scale;
            max = w[j] > max ? w[j] : max;
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - max);
            sum += w[j];
        }
        for (size_t c = 0; c < d; c++)
            out[c] = 0;
        for (size_t j = 0; j < n; j++) {
            const float *restrict v = value + j * d;
            const float weight = w[j] / sum;
            for (size_t c = 0; c < d; c++)
                out[c] += weight * v[c];
        }
    }
    free(w);
}
