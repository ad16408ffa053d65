#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static double *project(size_t n, size_t d, const float *x, const float *w)
{
    double *y = calloc(n * d, sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < d; m++)
            for (size_t c = 0; c < d; c++)
                y[i * d + c] += (double)x[i * d + m] * w[m * d + c];
    return y;
}

static double dot(const double *a, const double *b, size_t len)
{
    double s = 0;
    while (len--)
        s += *a++ * *b++;
    return s;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t dh = d_model / n_heads;
    double *q = project(n, d_model, x, w_query);
    double *k = project(n, d_model, x, w_key);
    double *mixed = calloc(n * d_model, sizeof(double));

    for (size_t i = 0; i < n; i++) {
        for (size_t h = 0; h < n_heads; h++) {
            const double *qi = q + i * d_model + h * dh;
            double *mine = mixed + i * d_model + h * dh;
            double top = -INFINITY, sum = 0;
            for (size_t j = 0; j < n; j++) {
                if (causal && j > i)
                    break; // nothing but the future from here on
                double score = dot(qi, k + j * d_model + h * dh, dh) / sqrt((double)dh);
                double new_top = score > top ? score : top;
                double shrink = exp(top - new_top);
                double term = exp(score - new_top);
                sum = sum * shrink + term;
                for (size_t c = 0; c < dh; c++)
                    mine[c] = mine[c] * shrink + term * x[j * d_model + h * dh + c];
                top = new_top;
            }
            for (size_t c = 0; c < dh; c++)
                mine[c] /= sum;
        }
    }

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_model; c++) {
            double s = 0;
            for (size_t m = 0; m < d_model; m++)
                s += mixed[i * d_model + m] * w_out[m * d_model + c];
            out[i * d_model + c] = (float)s;
        }
    free(q);
    free(k);
    free(mixed);
}
