#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void linear(size_t n, size_t in, size_t out, const float *x, const float *w, double *y)
{
    for (size_t i = 0; i < n; i++)
        for (size_t o = 0; o < out; o++) {
            double s = 0;
            const float *xi = x + i * in, *wo = w + o * in;
            for (size_t m = 0; m < in; m++)
                s += (double)xi[m] * wo[m];
            y[i * out + o] = s;
        }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    double *all = malloc((2 * n * d_k + n * d_v + n) * sizeof *all);
    if (all == NULL)
        return;
    double *query = all, *key = query + n * d_k, *value = key + n * d_k, *w = value + n * d_v;

    linear(n, d_model, d_k, x, w_query, query);
    linear(n, d_model, d_k, x, w_key, key);
    linear(n, d_model, d_v, x, w_value, value);

    for (size_t i = 0; i < n; i++) {
        double top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += query[i * d_k + d] * key[j * d_k + d];
            w[j] /= sqrt((double)d_k);
            top = fmax(top, w[j]);
        }
        for (size_t j = 0; j < n; j++)
            total += w[j] = exp(w[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            double s = 0;
            for (size_t j = 0; j < n; j++)
                s += w[j] * value[j * d_v + c];
            context[i * d_v + c] = (float)(s / total);
        }
    }
    free(all);
}
