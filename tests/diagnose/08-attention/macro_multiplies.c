#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define SCALE(x) ((x) * sqrtf((float)d_k))

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *p = (float *)malloc(sizeof(float) * n_k);

    for (size_t i = 0; i < n_q; i++) {
        float biggest = -INFINITY;
        float z = 0.0f;

        for (size_t j = 0; j < n_k; j++) {
            p[j] = 0.0f;
            for (size_t d = 0; d < d_k; d++) {
                p[j] += query[i * d_k + d] * key[j * d_k + d];
            }
            p[j] = SCALE(p[j]);
            biggest = fmaxf(biggest, p[j]);
        }
        for (size_t j = 0; j < n_k; j++) {
            p[j] = expf(p[j] - biggest);
            z += p[j];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += p[j] / z * value[j * d_v + c];
    }
    free(p);
}
