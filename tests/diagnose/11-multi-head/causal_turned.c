#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void project(size_t n, size_t d, const float *in, const float *w, float *to)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            float total = 0;
            for (size_t m = 0; m < d; m++)
                total += in[i * d + m] * w[m * d + c];
            to[i * d + c] = total;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *query = malloc(4 * n * d_model * sizeof(float));
    float *key = query + n * d_model;
    float *value = key + n * d_model;
    float *joined = value + n * d_model;
    float *p = malloc(n * sizeof(float));
    project(n, d_model, x, w_query, query);
    project(n, d_model, x, w_key, key);
    project(n, d_model, x, w_value, value);
    for (size_t h = 0; h < n_heads; h++) {
        for (size_t i = 0; i < n; i++) {
            size_t seen = causal ? n : i + 1;
            const float *q = query + i * d_model + h * d_head;
            float top = -INFINITY, sum = 0;
            for (size_t j = 0; j < seen; j++) {
                const float *k = key + j * d_model + h * d_head;
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += q[c] * k[c];
                p[j] = dot / sqrtf(d_head);
                if (p[j] > top)
                    top = p[j];
            }
            for (size_t j = 0; j < seen; j++) {
                p[j] = expf(p[j] - top);
                sum += p[j];
            }
            for (size_t c = 0; c < d_head; c++) {
                float mixed = 0;
                for (size_t j = 0; j < seen; j++)
                    mixed += p[j] / sum * value[j * d_model + h * d_head + c];
                joined[i * d_model + h * d_head + c] = mixed;
            }
        }
    }
    project(n, d_model, joined, w_out, out);
    free(query);
    free(p);
}
