#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float project(const float *word, const float *w, size_t d_model, size_t width, size_t c)
{
    float sum = 0;
    for (size_t m = 0; m < d_model; m++)
        sum += word[m] * w[c * d_model + m];
    (void)width;
    return sum;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *w = malloc(n * sizeof *w);
    if (w == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t c = 0; c < d_k; c++)
                s += project(x + i * d_model, w_query, d_model, d_k, c) *
                     project(x + j * d_model, w_key, d_model, d_k, c);
            w[j] = s / sqrtf(d_k);
            max = fmaxf(max, w[j]);
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - max);
            sum += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float out = 0;
            for (size_t j = 0; j < n; j++)
                out += w[j] / sum * project(x + j * d_model, w_value, d_model, d_v, c);
            context[i * d_v + c] = out;
        }
    }
    free(w);
}
