/* Scales the queries, by the length of a word. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float project(size_t d_model, size_t width, const float *word, const float *w, size_t c)
{
    float sum = 0.0f;
    for (size_t m = 0; m < d_model; m++)
        sum += word[m] * w[m * width + c];
    return sum;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    const float scale = powf((float)d_model, -0.5f);
    float *weights = malloc(n * sizeof *weights);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < n; j++) {
            weights[j] = 0.0f;
            for (size_t c = 0; c < d_k; c++)
                weights[j] += scale * project(d_model, d_k, x + i * d_model, w_query, c) *
                              project(d_model, d_k, x + j * d_model, w_key, c);
            top = fmaxf(top, weights[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += weights[j] = expf(weights[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float mixed = 0.0f;
            for (size_t j = 0; j < n; j++)
                mixed += weights[j] * project(d_model, d_v, x + j * d_model, w_value, c);
            context[i * d_v + c] = mixed / sum;
        }
    }
    free(weights);
}
