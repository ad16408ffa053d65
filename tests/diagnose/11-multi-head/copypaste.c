#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static float *project(const float *x, const float *w, size_t n, size_t d)
{
    float *y = malloc(n * d * sizeof *y);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            double s = 0;
            for (size_t m = 0; m < d; m++)
                s += (double)x[i * d + m] * w[m * d + c];
            y[i * d + c] = (float)s;
        }
    return y;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    (void)w_key;
    size_t dh = d_model / n_heads;
    float *query = project(x, w_query, n, d_model);
    float *key = project(x, w_query, n, d_model);
    float *value = project(x, w_value, n, d_model);
    float *joined = malloc(n * d_model * sizeof *joined);
    double *p = malloc(n * sizeof *p);

    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            size_t len = causal ? i + 1 : n;
            double top = -INFINITY, total = 0;
            for (size_t j = 0; j < len; j++) {
                double s = 0;
                for (size_t c = 0; c < dh; c++)
                    s += query[i * d_model + h * dh + c] * key[j * d_model + h * dh + c];
                p[j] = s / sqrt(dh);
                if (p[j] > top) top = p[j];
            }
            for (size_t j = 0; j < len; j++)
                total += p[j] = exp(p[j] - top);
            for (size_t c = 0; c < dh; c++) {
                double s = 0;
                for (size_t j = 0; j < len; j++)
                    s += p[j] / total * value[j * d_model + h * dh + c];
                joined[i * d_model + h * dh + c] = s;
            }
        }

    float *o = project(joined, w_out, n, d_model);
    for (size_t i = 0; i < n * d_model; i++)
        out[i] = o[i];
    free(o);
    free(p);
    free(joined);
    free(value);
    free(key);
    free(query);
}
