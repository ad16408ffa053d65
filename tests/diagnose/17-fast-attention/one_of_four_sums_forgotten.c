#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static inline float dot4(const float *restrict a, const float *restrict b, size_t n)
{
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t c = 0;
    for (; c + 4 <= n; c += 4) {
        s0 += a[c] * b[c];
        s1 += a[c + 1] * b[c + 1];
        s2 += a[c + 2] * b[c + 2];
        s3 += a[c + 3] * b[c + 3];
    }
    for (; c < n; c++)
        s0 += a[c] * b[c];
    return s0 + s1 + s2;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *w = malloc(n * sizeof *w);
    const float scale = 1 / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = dot4(query + i * d, key + j * d, d) * scale;
            top = w[j] > top ? w[j] : top;
        }
        for (size_t j = 0; j < n; j++)
            total += w[j] = expf(w[j] - top);
        float *restrict o = context + i * d;
        for (size_t c = 0; c < d; c++)
            o[c] = 0;
        for (size_t j = 0; j < n; j++) {
            const float wj = w[j] / total;
            const float *restrict v = value + j * d;
            for (size_t c = 0; c < d; c++)
                o[c] += wj * v[c];
        }
    }
    free(w);
}
