#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot8(const float *a, const float *b, size_t d)
{
    float part[8] = {0};
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        for (size_t l = 0; l < 8; l++)
            part[l] += a[c + l] * b[c + l];
    float sum = 0;
    for (size_t l = 0; l < 8; l++)
        sum += part[l];
    for (; c < d; c++)
        sum = a[c] * b[c];
    return sum;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *w = malloc(n * sizeof *w);
    if (w == NULL)
        return;
    const float scale = 1.0f / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = dot8(query + i * d, key + j * d, d) * scale;
            max = w[j] > max ? w[j] : max;
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - max);
            sum += w[j];
        }
        float *o = context + i * d;
        for (size_t c = 0; c < d; c++)
            o[c] = 0;
        for (size_t j = 0; j < n; j++) {
            const float share = w[j] / sum;
            const float *v = value + j * d;
            for (size_t c = 0; c < d; c++)
                o[c] += share * v[c];
        }
    }
    free(w);
}
