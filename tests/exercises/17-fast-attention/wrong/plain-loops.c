/* Right, and in the order of the formula. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *weights = malloc(n * n * sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float score = 0;
            for (size_t c = 0; c < d; c++)
                score += query[i * d + c] * key[j * d + c];
            weights[i * n + j] = score / sqrtf((float)d);
        }
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++)
            max = fmaxf(max, weights[i * n + j]);
        for (size_t j = 0; j < n; j++)
            sum += weights[i * n + j] = expf(weights[i * n + j] - max);
        for (size_t j = 0; j < n; j++)
            weights[i * n + j] /= sum;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            context[i * d + c] = 0;
            for (size_t j = 0; j < n; j++)
                context[i * d + c] += weights[i * n + j] * value[j * d + c];
        }
    free(weights);
}
