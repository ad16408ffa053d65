#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *p = malloc(n * sizeof *p);
    if (!p)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t seen = i > 0 ? i : 1;
        float top = -INFINITY, z = 0;
        for (size_t j = 0; j < seen; j++) {
            p[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                p[j] += query[i * d_k + d] * key[j * d_k + d];
            p[j] /= sqrtf(d_k);
            top = fmaxf(top, p[j]);
        }
        for (size_t j = 0; j < seen; j++)
            z += p[j] = expf(p[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < seen; j++)
                context[i * d_v + c] += p[j] / z * value[j * d_v + c];
        }
    }
    free(p);
}
