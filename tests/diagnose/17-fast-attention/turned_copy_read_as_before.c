#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *turned = malloc(n * d * sizeof *turned);
    float *s = malloc(n * sizeof *s);
    for (size_t j = 0; j < n; j++)
        for (size_t c = 0; c < d; c++)
            turned[c * n + j] = key[j * d + c];

    for (size_t i = 0; i < n; i++) {
        const float *restrict q = query + i * d;
        float *restrict o = context + i * d;
        float top, total = 0;
        for (size_t j = 0; j < n; j++) {
            float a = 0, b = 0;
            size_t c = 0;
            for (; c + 1 < d; c += 2) {
                a += q[c] * turned[j * d + c];
                b += q[c + 1] * turned[j * d + c + 1];
            }
            if (c < d)
                a += q[c] * turned[j * d + c];
            s[j] = (a + b) / sqrtf((float)d);
        }
        top = s[0];
        for (size_t j = 1; j < n; j++)
            top = fmaxf(top, s[j]);
        for (size_t c = 0; c < d; c++)
            o[c] = 0;
        for (size_t j = 0; j < n; j++) {
            const float e = expf(s[j] - top);
            total += e;
            for (size_t c = 0; c < d; c++)
                o[c] += e * value[j * d + c];
        }
        for (size_t c = 0; c < d; c++)
            o[c] /= total;
    }
    free(turned);
    free(s);
}
