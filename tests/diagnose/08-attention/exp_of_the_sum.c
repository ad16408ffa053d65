#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *x = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            x[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                x[j] += query[i * d_k + d] * key[j * d_k + d];
            x[j] /= sqrtf((float)d_k);
            max = fmaxf(max, x[j]);
        }
        float sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            x[j] -= max;
            sum += x[j];
        }
        sum = expf(sum);
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[i * d_v + c] += expf(x[j]) / sum * value[j * d_v + c];
        }
    }
    free(x);
}
