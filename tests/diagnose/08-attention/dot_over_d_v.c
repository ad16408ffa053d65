#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *a = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY, t = 0;
        for (size_t j = 0; j < n_k; j++) {
            a[j] = 0;
            for (size_t d = 0; d < d_v; d++)
                a[j] += query[i * d_k + d] * key[j * d_k + d];
            a[j] /= sqrtf((float)d_k);
            m = fmaxf(m, a[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            t += a[j] = expf(a[j] - m);
        for (size_t c = 0; c < d_v; c++) {
            float s = 0;
            for (size_t j = 0; j < n_k; j++)
                s += a[j] / t * value[j * d_v + c];
            context[i * d_v + c] = s;
        }
    }
    free(a);
}
