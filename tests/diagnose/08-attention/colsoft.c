#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_q * n_k * sizeof *w);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            double s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += (double)query[i * d_k + d] * key[j * d_k + d];
            w[i * n_k + j] = (float)(s / sqrt((double)d_k));
        }
    for (size_t j = 0; j < n_k; j++) {
        float m = -INFINITY, t = 0;
        for (size_t i = 0; i < n_q; i++)
            if (w[i * n_k + j] > m)
                m = w[i * n_k + j];
        for (size_t i = 0; i < n_q; i++) {
            w[i * n_k + j] = expf(w[i * n_k + j] - m);
            t += w[i * n_k + j];
        }
        for (size_t i = 0; i < n_q; i++)
            w[i * n_k + j] /= t;
    }
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n_k; j++)
                acc += w[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = acc;
        }
    free(w);
}
