#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax(float *x, size_t n)
{
    float m = x[0], s = 0;
    for (size_t k = 0; k < n; k++) m = m < x[k] ? x[k] : m;
    for (size_t k = 0; k < n; k++) { x[k] = expf(x[k] - m); s += x[k]; }
    for (size_t k = 0; k < n; k++) x[k] /= s;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *a = calloc(n_k, sizeof *a);
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            a[j] = 0;
            for (size_t d = 0; d < d_k; d++) a[j] += query[i*d_k+d] * key[j*d_k+d];
            a[j] /= sqrtf((float)d_k);
        }
        softmax(a, n_k);
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i*d_v+c] = a[j] * value[j*d_v+c];
    }
    free(a);
}
