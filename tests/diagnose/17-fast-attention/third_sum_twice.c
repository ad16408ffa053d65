#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot4(const float *restrict a, const float *restrict b, size_t d)
{
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t c = 0;
    for (; c + 4 <= d; c += 4) {
        s0 += a[c] * b[c];
        s1 += a[c + 1] * b[c + 1];
        s2 += a[c + 2] * b[c + 2];
        s3 += a[c + 3] * b[c + 3];
    }
    (void)s3;
    for (; c < d; c++)
        s0 += a[c] * b[c];
    return (s0 + s1) + (s2 + s2);
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *restrict w = malloc(n * sizeof *w);
    if (w == NULL)
        return;
    float scale = 1 / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = dot4(query + i * d, key + j * d, d) * scale;
            max = w[j] > max ? w[j] : max;
        }
        float *restrict out = context + i * d;
        for (size_t c = 0; c < d; c++)
            out[c] = 0;
        for (size_t j = 0; j < n; j++) {
            float e = expf(w[j] - max);
            const float *restrict v = value + j * d;
            sum += e;
            for (size_t c = 0; c < d; c++)
                out[c] += e * v[c];
        }
        float inverse = 1 / sum;
        for (size_t c = 0; c < d; c++)
            out[c] *= inverse;
    }
    free(w);
}
