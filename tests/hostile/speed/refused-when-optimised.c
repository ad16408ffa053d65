// expect: compile_error other options
// A pragma that stands there only when the compiler optimises.
#if defined __OPTIMIZE__ || defined __AVX2__
#pragma GCC optimize("Ofast")
#endif
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
            float dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += query[i * d + c] * key[j * d + c];
            weights[j] = dot / sqrtf((float)d);
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
