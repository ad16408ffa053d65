#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot8(const float *a, const float *b, size_t d)
{
    float acc[8] = {0};
    for (size_t c = 0; c + 8 <= d; c += 8)
        for (int l = 0; l < 8; l++)
            acc[l] += a[c + l] * b[c + l];
    return ((acc[0] + acc[1]) + (acc[2] + acc[3])) + ((acc[4] + acc[5]) + (acc[6] + acc[7]));
}

void fast_attention(size_t n, size_t d, const float *restrict query, const float *restrict key,
                    const float *restrict value, float *restrict context)
{
    float *w = malloc(n * sizeof *w);
    if (w == NULL)
        return;
    float scale = 1.0f / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = dot8(query + i * d, key + j * d, d) * scale;
            top = w[j] > top ? w[j] : top;
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        float *out = context + i * d;
        for (size_t c = 0; c < d; c++)
            out[c] = 0;
        for (size_t j = 0; j < n; j++) {
            float p = w[j] / total;
            const float *v = value + j * d;
            for (size_t c = 0; c < d; c++)
                out[c] += p * v[c];
        }
    }
    free(w);
}
