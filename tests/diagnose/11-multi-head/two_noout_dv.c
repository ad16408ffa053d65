#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void mul(const float *x, const float *w, float *y, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            float s = 0;
            for (size_t m = 0; m < d; m++)
                s += x[i * d + m] * w[m * d + j];
            y[i * d + j] = s;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    (void)w_out;
    size_t d_head = d_model / n_heads;
    float *query = malloc(n * d_model * sizeof(float));
    float *key = malloc(n * d_model * sizeof(float));
    float *value = malloc(n * d_model * sizeof(float));
    float *weights = malloc(n * sizeof(float));
    mul(x, w_query, query, n, d_model);
    mul(x, w_key, key, n, d_model);
    mul(x, w_value, value, n, d_model);

    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            size_t count = causal ? i + 1 : n;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < count; j++) {
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += query[i * d_model + c] * key[j * d_model + c];
                weights[j] = dot / sqrtf((float)d_head);
                top = fmaxf(top, weights[j]);
            }
            for (size_t j = 0; j < count; j++)
                total += weights[j] = expf(weights[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                float mixed = 0;
                for (size_t j = 0; j < count; j++)
                    mixed += weights[j] * value[j * d_model + h * d_head + c];
                out[i * d_model + h * d_head + c] = mixed / total;
            }
        }
    free(query); free(key); free(value); free(weights);
}
