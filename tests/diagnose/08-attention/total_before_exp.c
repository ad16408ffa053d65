#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *p = malloc(n_q * n_k * sizeof *p);
    if (p == NULL)
        return;

    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            p[i * n_k + j] = s / sqrtf(d_k);
        }

    for (size_t i = 0; i < n_q; i++) {
        float *r = p + i * n_k;
        float m = r[0], total = 0;
        for (size_t j = 1; j < n_k; j++)
            m = r[j] > m ? r[j] : m;
        for (size_t j = 0; j < n_k; j++) {
            r[j] -= m;
            total += r[j];
            r[j] = expf(r[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            r[j] /= total;
    }

    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            float s = 0;
            for (size_t j = 0; j < n_k; j++)
                s += p[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = s;
        }
    free(p);
}
