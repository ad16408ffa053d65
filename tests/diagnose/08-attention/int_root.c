#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    int scale = sqrt(d_k);
    float *p = malloc(n_k * sizeof *p);
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY, z = 0;
        for (size_t j = 0; j < n_k; j++) {
            p[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                p[j] += query[i * d_k + d] * key[j * d_k + d];
            p[j] /= scale;
            m = p[j] > m ? p[j] : m;
        }
        for (size_t j = 0; j < n_k; j++)
            z += p[j] = expf(p[j] - m);
        for (size_t c = 0; c < d_v; c++) {
            float o = 0;
            for (size_t j = 0; j < n_k; j++)
                o += p[j] / z * value[j * d_v + c];
            context[i * d_v + c] = o;
        }
    }
    free(p);
}
