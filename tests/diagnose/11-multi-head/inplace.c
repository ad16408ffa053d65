#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void times(const float *a, const float *w, float *r, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            float sum = 0;
            for (size_t m = 0; m < d; m++)
                sum += a[i * d + m] * w[m * d + c];
            r[i * d + c] = sum;
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
    float *weights = malloc(n * sizeof(float));
    times(x, w_query, query, n, d_model);
    times(x, w_key, key, n, d_model);
    times(x, w_value, value, n, d_model);
    for (size_t h = 0; h < n_heads; h++) {
        for (size_t i = 0; i < n; i++) {
            size_t limit = causal ? i + 1 : n;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < limit; j++) {
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += query[i * d_model + h * d_head + c] * key[j * d_model + h * d_head + c];
                weights[j] = dot / sqrtf((float)d_head);
                top = weights[j] > top ? weights[j] : top;
            }
            for (size_t j = 0; j < limit; j++) {
                weights[j] = expf(weights[j] - top);
                total += weights[j];
            }
            for (size_t c = 0; c < d_head; c++) {
                float sum = 0;
                for (size_t j = 0; j < limit; j++)
                    sum += weights[j] * value[j * d_model + h * d_head + c];
                out[i * d_model + h * d_head + c] = sum / total;
            }
        }
    }
    /* mix the heads */
    times(out, w_out, out, n, d_model);
    free(query);
    free(key);
    free(value);
    free(weights);
}
