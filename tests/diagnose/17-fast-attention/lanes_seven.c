#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *restrict p = malloc(n * sizeof(float));
    if (!p) return;
    for (size_t i = 0; i < n; i++) {
        const float *restrict q = query + i * d;
        float top = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            const float *restrict k = key + j * d;
            float acc[8] = {0, 0, 0, 0, 0, 0, 0, 0};
            size_t c = 0;
            for (; c + 7 < d; c += 8) {
                for (int u = 0; u < 8; u++) acc[u] += q[c + u] * k[c + u];
            }
            float s = acc[0] + acc[1] + acc[2] + acc[3] + acc[4] + acc[5] + acc[6] + acc[6];
            for (; c < d; c++) s += q[c] * k[c];
            p[j] = s / sqrtf((float)d);
            if (p[j] > top) top = p[j];
        }
        float z = 0;
        for (size_t j = 0; j < n; j++) { p[j] = expf(p[j] - top); z += p[j]; }
        float *restrict o = context + i * d;
        for (size_t c = 0; c < d; c++) o[c] = 0;
        for (size_t j = 0; j < n; j++) {
            const float *restrict v = value + j * d;
            float f = p[j] / z;
            for (size_t c = 0; c < d; c++) o[c] += f * v[c];
        }
    }
    free(p);
}
