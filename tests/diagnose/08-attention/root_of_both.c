#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    const float scale = 1.0f / sqrtf((float)(n_q * d_k));
    float *p = calloc(n_q * n_k, sizeof *p);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            for (size_t d = 0; d < d_k; d++)
                p[i * n_k + j] += scale * query[i * d_k + d] * key[j * d_k + d];
    for (size_t i = 0; i < n_q; i++) {
        float m = p[i * n_k], s = 0;
        for (size_t j = 1; j < n_k; j++)
            if (p[i * n_k + j] > m)
                m = p[i * n_k + j];
        for (size_t j = 0; j < n_k; j++)
            s += expf(p[i * n_k + j] - m);
        for (size_t c = 0; c < d_v; c++) {
            float o = 0;
            for (size_t j = 0; j < n_k; j++)
                o += expf(p[i * n_k + j] - m) / s * value[j * d_v + c];
            context[i * d_v + c] = o;
        }
    }
    free(p);
}
