#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *w = malloc(n * sizeof(float));
    float scale = 1.0f / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        const float *q = query + i * d;
        float top = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            const float *k = key + j * d;
            float part[8] = {0};
            size_t c = 0;
            for (; c + 8 <= d; c += 8)
                for (size_t u = 0; u < 8; u++)
                    part[u] += q[c + u] * k[c + u];
            float s = 0;
            for (size_t u = 0; u < 4; u++)
                s += part[u];
            for (; c < d; c++)
                s += q[c] * k[c];
            w[j] = s * scale;
            if (w[j] > top)
                top = w[j];
        }
        float z = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - top);
            z += w[j];
        }
        float *out = context + i * d;
        for (size_t c = 0; c < d; c++)
            out[c] = 0;
        for (size_t j = 0; j < n; j++) {
            float f = w[j] / z;
            for (size_t c = 0; c < d; c++)
                out[c] += f * value[j * d + c];
        }
    }
    free(w);
}
