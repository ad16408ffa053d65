#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = calloc(n * d_k, sizeof(float));
    float *key = calloc(n * d_k, sizeof(float));
    float *value = calloc(n * d_v, sizeof(float));
    float *scores = malloc(n * sizeof(float));

    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < d_model; m++) {
            float xm = x[i * d_model + m];
            for (size_t c = 0; c < d_k; c++) {
                query[i * d_k + c] += xm * w_query[m * d_k + c];
                key[i * d_k + c] += xm * w_key[m * d_k + c];
            }
            for (size_t c = 0; c < d_v; c++)
                value[i * d_v + c] += xm * w_value[m * d_v + c];
        }

    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            scores[j] = dot / sqrtf((float)d_model);
            if (scores[j] > top)
                top = scores[j];
        }
        for (size_t j = 0; j < n; j++) {
            scores[j] = expf(scores[j] - top);
            total += scores[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += scores[j] * value[j * d_v + c];
            context[i * d_v + c] = sum / total;
        }
    }
    free(query);
    free(key);
    free(value);
    free(scores);
}
