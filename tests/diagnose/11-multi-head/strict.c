#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <math.h>

static void project(const float *x, const float *w, float *y, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < d; c++) {
            y[i * d + c] = 0.0f;
            for (size_t m = 0; m < d; m++)
                y[i * d + c] += x[i * d + m] * w[m * d + c];
        }
    }
}

static void softmax(float *r, size_t n)
{
    float mx = r[0], sum = 0;
    for (size_t i = 1; i < n; i++)
        if (r[i] > mx)
            mx = r[i];
    for (size_t i = 0; i < n; i++) {
        r[i] = expf(r[i] - mx);
        sum += r[i];
    }
    for (size_t i = 0; i < n; i++)
        r[i] /= sum;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t d_head = d_model / n_heads, size = n * d_model;
    float *mem = malloc((4 * size + n) * sizeof(float));
    float *query = mem, *key = mem + size, *value = mem + 2 * size, *joined = mem + 3 * size;
    float *row = mem + 4 * size;

    project(x, w_query, query, n, d_model);
    project(x, w_key, key, n, d_model);
    project(x, w_value, value, n, d_model);

    for (size_t h = 0; h < n_heads; h++) {
        for (size_t i = 0; i < n; i++) {
            const float *q = query + i * d_model + h * d_head;
            for (size_t j = 0; j < n; j++) {
                const float *k = key + j * d_model + h * d_head;
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += q[c] * k[c];
                row[j] = dot / sqrtf((float)d_head);
                if (causal && j >= i)
                    row[j] = -1e9f;
            }
            softmax(row, n);
            for (size_t c = 0; c < d_head; c++) {
                float sum = 0;
                for (size_t j = 0; j < n; j++)
                    sum += row[j] * value[j * d_model + h * d_head + c];
                joined[i * d_model + h * d_head + c] = sum;
            }
        }
    }
    project(joined, w_out, out, n, d_model);
    free(mem);
}
