#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void linear(size_t n, size_t d, const float *x, const float *w, float *y)
{
    for (size_t i = 0; i < n * d; i++)
        y[i] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < d; m++) {
            float left = x[i * d + m];
            for (size_t c = 0; c < d; c++)
                y[i * d + c] += left * w[m * d + c];
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t d_head = d_model / n_heads, size = n * d_model;
    float *qkv = malloc(3 * size * sizeof(float));
    float *w = malloc(n * sizeof(float)), *mixed = malloc(d_head * sizeof(float));
    linear(n, d_model, x, w_query, qkv);
    linear(n, d_model, x, w_key, qkv + size);
    linear(n, d_model, x, w_value, qkv + 2 * size);

    for (size_t h = 0; h < n_heads; h++) {
        const float *q = qkv + h * d_head, *k = q + size, *v = k + size;
        const float *rows_of_head = w_out + h * d_head * d_model;
        for (size_t i = 0; i < n; i++) {
            size_t end = causal ? i + 1 : n;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < end; j++) {
                w[j] = 0;
                for (size_t c = 0; c < d_head; c++)
                    w[j] += q[i * d_model + c] * k[j * d_model + c];
                w[j] /= sqrtf((float)d_head);
                if (w[j] > top)
                    top = w[j];
            }
            for (size_t j = 0; j < end; j++)
                total += w[j] = expf(w[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                mixed[c] = 0;
                for (size_t j = 0; j < end; j++)
                    mixed[c] += w[j] / total * v[j * d_model + c];
            }
            for (size_t o = 0; o < d_model; o++) {
                float sum = 0;
                for (size_t c = 0; c < d_head; c++)
                    sum += mixed[c] * rows_of_head[c * d_model + o];
                out[i * d_model + o] = sum;
            }
        }
    }
    free(qkv);
    free(w);
    free(mixed);
}
