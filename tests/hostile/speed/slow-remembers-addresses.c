// expect: wrong_answer
// Takes the same addresses for the same numbers.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    static const float *before;
    static float answer[1 << 14];
    static size_t known;
    if (before == query && known == n * d) {
        for (size_t i = 0; i < n * d; i++)
            context[i] = answer[i];
        return;
    }
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
    before = query;
    known = n * d <= 1 << 14 ? n * d : 0;
    for (size_t i = 0; i < known; i++)
        answer[i] = context[i];
}
