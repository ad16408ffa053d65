#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax(float *x, size_t n)
{
    float m = x[0], s = 0;
    for (size_t k = 1; k < n; k++)
        m = fmaxf(m, x[k]);
    for (size_t k = 0; k < n; k++)
        s += x[k] = expf(x[k] - m);
    for (size_t k = 0; k < n; k++)
        x[k] /= s;
}

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *w = malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += query[i * d_k + d] * key[j * d_k + d];
        }
        softmax(w, i + 1);
        for (size_t j = 0; j <= i; j++)
            w[j] /= sqrtf((float)d_k); // scaled weights
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j <= i; j++)
                context[i * d_v + c] += w[j] * value[j * d_v + c];
        }
    }
    free(w);
}
