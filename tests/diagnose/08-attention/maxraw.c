#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *p = malloc(n_k * sizeof(float));
    const float inv = 1 / sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        float biggest = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            p[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                p[j] += query[i * d_k + d] * key[j * d_k + d];
            if (p[j] > biggest)
                biggest = p[j];
        }
        float sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            p[j] = expf(p[j] * inv - biggest);
            sum += p[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n_k; j++)
                acc += p[j] * value[j * d_v + c];
            context[i * d_v + c] = acc / sum;
        }
    }
    free(p);
}
