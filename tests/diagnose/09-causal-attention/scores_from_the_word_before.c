#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *w = malloc(n * sizeof *w);
    for (size_t i = 0; i < n; i++) {
        float sum = 0, top = -1e30f;
        const float *q = query + (i > 0 ? i - 1 : 0) * d_k;
        for (size_t j = 0; j <= i; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += q[d] * key[j * d_k + d];
            w[j] = s / sqrtf((float)d_k);
            if (w[j] > top)
                top = w[j];
        }
        for (size_t j = 0; j <= i; j++) {
            w[j] = expf(w[j] - top);
            sum += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float m = 0;
            for (size_t j = 0; j <= i; j++)
                m += w[j] * value[j * d_v + c];
            context[i * d_v + c] = m / sum;
        }
    }
    free(w);
}
