/* Eight keys at a time: their dot products with a query wait for nothing but themselves. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    float *weights = malloc(n * sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        size_t j = 0;
        for (; j + 8 <= n; j += 8) {
            float dots[8] = {0};
            for (size_t c = 0; c < d; c++)
                for (size_t r = 0; r < 8; r++)
                    dots[r] += query[i * d + c] * key[(j + r) * d + c];
            for (size_t r = 0; r < 8; r++)
                weights[j + r] = dots[r] * scale;
        }
        for (; j < n; j++) {
            weights[j] = 0;
            for (size_t c = 0; c < d; c++)
                weights[j] += query[i * d + c] * scale * key[j * d + c];
        }
        for (size_t k = 0; k < n; k++)
            max = fmaxf(max, weights[k]);
        for (size_t k = 0; k < n; k++) {
            weights[k] = expf(weights[k] - max);
            sum += weights[k];
        }
        for (size_t c = 0; c < d; c++)
            context[i * d + c] = 0;
        for (size_t k = 0; k < n; k++)
            for (size_t c = 0; c < d; c++)
                context[i * d + c] += weights[k] / sum * value[k * d + c];
    }
    free(weights);
}
