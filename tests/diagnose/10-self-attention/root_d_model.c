#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float *project(const float *x, const float *w, size_t n, size_t rows, size_t cols)
{
    float *y = calloc(n * cols, sizeof *y);
    if (y == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < rows; m++)
            for (size_t c = 0; c < cols; c++)
                y[i * cols + c] += x[i * rows + m] * w[m * cols + c];
    return y;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *q = project(x, w_query, n, d_model, d_k);
    float *k = project(x, w_key, n, d_model, d_k);
    float *v = project(x, w_value, n, d_model, d_v);
    float *s = malloc(n * n * sizeof *s);
    if (!q || !k || !v || !s)
        goto end;

    const float scale = 1.0f / sqrtf((float)d_model);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float acc = 0;
            for (size_t d = 0; d < d_k; d++)
                acc += q[i * d_k + d] * k[j * d_k + d];
            s[i * n + j] = acc * scale;
            if (s[i * n + j] > max)
                max = s[i * n + j];
        }
        for (size_t j = 0; j < n; j++) {
            s[i * n + j] = expf(s[i * n + j] - max);
            sum += s[i * n + j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n; j++)
                acc += s[i * n + j] * v[j * d_v + c];
            context[i * d_v + c] = acc / sum;
        }
    }
end:
    free(q);
    free(k);
    free(v);
    free(s);
}
