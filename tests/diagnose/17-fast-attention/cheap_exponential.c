#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static inline float quick_exp(float x)
{
    float y = 1.0f + x * (1.0f / 256.0f);
    for (int k = 0; k < 8; k++)
        y *= y;
    return y;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *p = malloc(n * sizeof *p);
    float scale = 1.0f / sqrtf((float)d);
    for (size_t i = 0; i < n; i++, query += d, context += d) {
        float top = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            const float *k = key + j * d;
            float lane[8] = {0}, s = 0;
            size_t c = 0;
            for (; c + 8 <= d; c += 8)
                for (int l = 0; l < 8; l++)
                    lane[l] += query[c + l] * k[c + l];
            for (int l = 0; l < 8; l++)
                s += lane[l];
            for (; c < d; c++)
                s += query[c] * k[c];
            p[j] = s * scale;
            if (p[j] > top)
                top = p[j];
        }
        float total = 0;
        for (size_t j = 0; j < n; j++) {
            p[j] = quick_exp(p[j] - top);
            total += p[j];
        }
        for (size_t c = 0; c < d; c++)
            context[c] = 0;
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d; c++)
                context[c] += p[j] * value[j * d + c];
        for (size_t c = 0; c < d; c++)
            context[c] /= total;
    }
    free(p);
}
