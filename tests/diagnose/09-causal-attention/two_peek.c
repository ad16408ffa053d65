#include <stddef.h>
#include <stdlib.h>
#include <math.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    double *e = malloc(n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        size_t visible = i + 2 > n ? n : i + 2;
        double max = -INFINITY, z = 0;
        for (size_t j = 0; j < visible; j++) {
            e[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                e[j] += query[i * d_k + d] * key[j * d_k + d];
            if (e[j] > max) max = e[j];
        }
        for (size_t j = 0; j < visible; j++) {
            e[j] = exp(e[j] - max);
            z += e[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            double acc = 0;
            for (size_t j = 0; j < visible; j++)
                acc += e[j] * value[j * d_v + c];
            context[i * d_v + c] = (float)(acc / z);
        }
    }
    free(e);
}
