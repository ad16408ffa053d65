#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void linear(float *y, const float *x, const float *w, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            float t = 0;
            for (size_t m = 0; m < d; m++)
                t += x[i * d + m] * w[m * d + c];
            y[i * d + c] = t;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *query = malloc(n * d_model * sizeof(float));
    float *key = malloc(n * d_model * sizeof(float));
    float *value = malloc(n * d_model * sizeof(float));
    float *joined = calloc(n * d_model, sizeof(float));
    float *att = malloc(n * n * sizeof(float));

    linear(query, x, w_query, n, d_model);
    linear(key, x, w_key, n, d_model);
    linear(value, x, w_value, n, d_model);

    for (size_t h = 0; h < n_heads; h++) {
        size_t o = h * d_head;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += query[i * d_model + o + c] * key[j * d_model + o + c];
                att[i * n + j] = dot / sqrtf((float)d_head);
            }
        for (size_t i = 0; i < n; i++) {
            float max = att[i * n], sum = 0;
            for (size_t j = 1; j < n; j++)
                max = fmaxf(max, att[i * n + j]);
            for (size_t j = 0; j < n; j++)
                sum += att[i * n + j] = expf(att[i * n + j] - max);
            for (size_t j = 0; j < n; j++)
                att[i * n + j] /= sum;
        }
        if (causal)
            for (size_t i = 0; i < n; i++)
                for (size_t j = i + 1; j < n; j++)
                    att[i * n + j] = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t c = 0; c < d_head; c++)
                    joined[i * d_model + o + c] += att[i * n + j] * value[j * d_model + o + c];
    }
    linear(out, joined, w_out, n, d_model);
    free(query); free(key); free(value); free(joined); free(att);
}
