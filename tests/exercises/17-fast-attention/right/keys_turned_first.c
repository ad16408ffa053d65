/* The keys on their side once, then plain loops in an order in which no addition waits for the one
 * before: each key component is added to the scores of all keys, each value to the whole row. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    float *turned = malloc(n * d * sizeof *turned), *weights = malloc(n * sizeof *weights);
    for (size_t j = 0; turned != NULL && j < n; j++)
        for (size_t c = 0; c < d; c++)
            turned[c * n + j] = key[j * d + c];
    for (size_t i = 0; turned != NULL && weights != NULL && i < n; i++) {
        float *row = context + i * d, max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++)
            weights[j] = 0;
        for (size_t c = 0; c < d; c++) {
            const float number = query[i * d + c] * scale;
            for (size_t j = 0; j < n; j++)
                weights[j] += number * turned[c * n + j];
        }
        for (size_t j = 0; j < n; j++)
            max = weights[j] > max ? weights[j] : max;
        for (size_t j = 0; j < n; j++) {
            weights[j] = expf(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d; c++)
            row[c] = 0;
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d; c++)
                row[c] += weights[j] * value[j * d + c];
        for (size_t c = 0; c < d; c++)
            row[c] /= sum;
    }
    free(turned);
    free(weights);
}
