#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef float four __attribute__((vector_size(16)));

static float dot(size_t n, const float *a, const float *b)
{
    four sums = {0};
    for (size_t c = 0; c < n / 4; c++) {
        const four x = {a[4 * c], a[4 * c + 1], a[4 * c + 2], a[4 * c + 3]};
        const four y = {b[4 * c], b[4 * c + 1], b[4 * c + 2], b[4 * c + 3]};
        sums += x * y;
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *weights = malloc(n * sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            weights[j] = dot(d, query + i * d, key + j * d) / sqrtf((float)d);
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
