#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void project(size_t n, size_t d_in, size_t d_out, const float *x, const float *w, float *y)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_out; c++) {
            float sum = 0;
            for (size_t m = 0; m < d_in; m++)
                sum += x[i * d_in + m] * w[m * d_out + c];
            y[i * d_out + c] = sum;
        }
}

static void attend(size_t n, size_t d_k, size_t d_v, const float *q, const float *k,
                   const float *v, float *out)
{
    float *p = malloc(n * sizeof *p);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j <= i; j++) {
            p[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                p[j] += q[i * d_k + d] * k[j * d_k + d];
            p[j] /= sqrtf((float)d_k);
            if (p[j] > max)
                max = p[j];
        }
        for (size_t j = 0; j <= i; j++)
            sum += p[j] = expf(p[j] - max);
        for (size_t c = 0; c < d_v; c++)
            out[i * d_v + c] = 0;
        for (size_t j = 0; j <= i; j++)
            for (size_t c = 0; c < d_v; c++)
                out[i * d_v + c] += p[j] / sum * v[j * d_v + c];
    }
    free(p);
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *all = malloc(n * (2 * d_k + d_v) * sizeof *all);
    float *q = all, *k = q + n * d_k, *v = k + n * d_k;
    project(n, d_model, d_k, x, w_query, q);
    project(n, d_model, d_k, x, w_key, k);
    project(n, d_model, d_v, x, w_value, v);
    attend(n, d_k, d_v, q, k, v, context);
    free(all);
}
