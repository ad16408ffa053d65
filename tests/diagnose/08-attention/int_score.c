#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_k * sizeof(float));
    int i, j, d, dot;
    for (i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (j = 0; j < n_k; j++) {
            dot = 0;
            for (d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            w[j] = dot / sqrtf((float)d_k);
            max = fmaxf(max, w[j]);
        }
        for (j = 0; j < n_k; j++)
            sum += w[j] = expf(w[j] - max);
        for (d = 0; d < d_v; d++) {
            float acc = 0;
            for (j = 0; j < n_k; j++)
                acc += w[j] * value[j * d_v + d];
            context[i * d_v + d] = acc / sum;
        }
    }
    free(w);
}
