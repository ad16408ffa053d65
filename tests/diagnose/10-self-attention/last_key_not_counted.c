#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <math.h>

/* y = row * W */
static void vec_mat(const float *row, const float *W, size_t rows, size_t cols, float *y)
{
    memset(y, 0, cols * sizeof(float));
    for (size_t r = 0; r < rows; r++)
    {
        for (size_t c = 0; c < cols; c++)
        {
            y[c] += row[r] * W[r * cols + c];
        }
    }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float(*k)[d_k] = malloc(n * sizeof *k);
    float(*v)[d_v] = malloc(n * sizeof *v);
    float q[d_k];
    float a[n];

    for (size_t j = 0; j < n; j++)
    {
        vec_mat(&x[j * d_model], w_key, d_model, d_k, k[j]);
        vec_mat(&x[j * d_model], w_value, d_model, d_v, v[j]);
    }

    for (size_t i = 0; i < n; i++)
    {
        vec_mat(&x[i * d_model], w_query, d_model, d_k, q);

        float biggest = -HUGE_VALF;
        for (size_t j = 0; j < n; j++)
        {
            a[j] = 0;
            for (size_t c = 0; c < d_k; c++)
            {
                a[j] += q[c] * k[j][c];
            }
            a[j] = a[j] / sqrtf(d_k);
            biggest = fmaxf(biggest, a[j]);
        }

        float norm = 0;
        for (size_t j = 0; j < n; j++)
            a[j] = expf(a[j] - biggest);
        for (size_t j = 0; j < n - 1; j++)
            norm += a[j];
        for (size_t j = 0; j < n; j++)
        {
            a[j] /= norm;
        }

        vec_mat(a, *v, n, d_v, &context[i * d_v]);
    }
    free(k);
    free(v);
}
