#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *memory = calloc(2 * n * d_k + n * d_v + n, sizeof(float));
    if (memory == NULL)
        return;
    float *query = memory, *key = query + n * d_k, *value = key + n * d_k, *weights = value + n * d_v;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < d_model; m++) {
            for (size_t c = 0; c < d_k; c++) {
                query[i * d_k + c] += x[i * d_model + m] * w_query[m * d_k + c];
                key[i * d_k + c] += x[i * d_model + m] * w_key[m * d_k + c];
            }
            for (size_t c = 0; c < d_v; c++)
                value[i * d_v + c] += x[i * d_model + m] * w_value[m * d_v + c];
        }
    for (size_t i = 0; i < n; i++) {
        float highest = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            float score = 0.f;
            for (size_t c = 0; c < d_k; c++)
                score += query[i * d_k + c] * key[j * d_k + c];
            weights[j] = score * (1 / sqrtf(d_model));
            highest = weights[j] > highest ? weights[j] : highest;
        }
        float total = 0.f;
        for (size_t j = 0; j < n; j++)
            total += (weights[j] = expf(weights[j] - highest));
        for (size_t c = 0; c < d_v; c++) {
            float out = 0.f;
            for (size_t j = 0; j < n; j++)
                out += weights[j] * value[j * d_v + c];
            context[i * d_v + c] = out / total;
        }
    }
    free(memory);
}
