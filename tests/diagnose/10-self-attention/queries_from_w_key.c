#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float *times(const float *x, const float *w, size_t rows, size_t inner, size_t cols)
{
    float *y = calloc(rows * cols, sizeof(float));
    for (size_t r = 0; r < rows; r++)
        for (size_t m = 0; m < inner; m++)
            for (size_t c = 0; c < cols; c++)
                y[r * cols + c] += x[r * inner + m] * w[m * cols + c];
    return y;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = times(x, w_key, n, d_model, d_k);
    float *key = times(x, w_key, n, d_model, d_k);
    float *value = times(x, w_value, n, d_model, d_v);
    float *w = malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t c = 0; c < d_k; c++)
                s += query[i * d_k + c] * key[j * d_k + c];
            w[j] = s / sqrtf((float)d_k);
            top = fmaxf(top, w[j]);
        }
        for (size_t j = 0; j < n; j++)
            total += (w[j] = expf(w[j] - top));
        for (size_t c = 0; c < d_v; c++) {
            float s = 0;
            for (size_t j = 0; j < n; j++)
                s += w[j] * value[j * d_v + c];
            context[i * d_v + c] = s / total;
        }
    }
    free(query);
    free(key);
    free(value);
    free(w);
}
