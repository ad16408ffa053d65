#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *p = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY, l = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s = fmaf(query[i * d_k + d], key[j * d_k + d], s);
            p[j] = s / sqrtf((float)d_k);
            m = fmaxf(m, p[j]);
        }
        for (size_t j = 0; j < n_k; j++) {
            p[j] = exp2f(p[j] - m); // faster than expf
            l += p[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float o = 0;
            for (size_t j = 0; j < n_k; j++)
                o += p[j] * value[j * d_v + c];
            context[i * d_v + c] = o / l;
        }
    }
    free(p);
}
