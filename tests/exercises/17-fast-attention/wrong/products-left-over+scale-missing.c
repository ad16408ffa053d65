#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *weights = malloc(n * sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float a = 0, b = 0, e = 0, f = 0;
            for (size_t c = 0; c + 4 <= d; c += 4) {
                a += query[i * d + c] * key[j * d + c];
                b += query[i * d + c + 1] * key[j * d + c + 1];
                e += query[i * d + c + 2] * key[j * d + c + 2];
                f += query[i * d + c + 3] * key[j * d + c + 3];
            }
            weights[j] = a + b + e + f;
            max = fmaxf(max, weights[j]);
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = expf(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d; c++) {
            float mixed = 0;
            for (size_t j = 0; j < n; j++)
                mixed += weights[j] * value[j * d + c];
            context[i * d + c] = mixed / sum;
        }
    }
    free(weights);
}
