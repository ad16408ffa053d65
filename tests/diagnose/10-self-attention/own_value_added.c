#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t rows, cols;
    float *at;
} matrix;

static matrix product(const float *x, size_t rows, size_t inner, const float *w, size_t cols)
{
    matrix y = {rows, cols, malloc(rows * cols * sizeof(float))};
    for (size_t e = 0; e < rows * cols; e++) {
        const float *left = x + e / cols * inner, *right = w + e % cols;
        double s = 0;
        for (size_t m = 0; m < inner; m++)
            s += (double)left[m] * right[m * cols];
        y.at[e] = (float)s;
    }
    return y;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    matrix q = product(x, n, d_model, w_query, d_k);
    matrix k = product(x, n, d_model, w_key, d_k);
    matrix v = product(x, n, d_model, w_value, d_v);
    float *weight = malloc(n * sizeof *weight);

    memcpy(context, v.at, n * d_v * sizeof *context);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            double s = 0;
            for (size_t c = 0; c < q.cols; c++)
                s += (double)q.at[i * d_k + c] * k.at[j * d_k + c];
            weight[j] = (float)(s / sqrt((double)d_k));
            top = fmaxf(top, weight[j]);
        }
        for (size_t j = 0; j < n; j++) {
            weight[j] = expf(weight[j] - top);
            total += weight[j];
        }
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += weight[j] / total * v.at[j * d_v + c];
    }
    free(weight);
    free(q.at);
    free(k.at);
    free(v.at);
}
