#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float root = sqrtf((float)d_k);
    float *q = malloc(n_q * d_k * sizeof(float));
    float *k = malloc(n_k * d_k * sizeof(float));
    float *s = malloc(n_k * sizeof(float));

    for (size_t x = 0; x < n_q * d_k; x++) q[x] = query[x] / root;
    for (size_t x = 0; x < n_k * d_k; x++) k[x] = key[x] / root;

    memset(context, 0, n_q * d_v * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY, z = 0;
        for (size_t j = 0; j < n_k; j++) {
            s[j] = 0;
            for (size_t d = 0; d < d_k; d++) s[j] += q[i * d_k + d] * k[j * d_k + d];
            m = fmaxf(m, s[j]);
        }
        for (size_t j = 0; j < n_k; j++) z += s[j] = expf(s[j] - m);
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++) context[i * d_v + c] += s[j] / z * value[j * d_v + c];
    }
    free(q); free(k); free(s);
}
