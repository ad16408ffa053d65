#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* c = a b  with a (n, m) and b (m, p); ta / tb: the matrix is stored turned over */
static void mm(size_t n, size_t m, size_t p, const float *a, int ta, const float *b, int tb, float *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float sum = 0;
            for (size_t k = 0; k < m; k++)
                sum += (ta ? a[k * n + i] : a[i * m + k]) * (tb ? b[j * m + k] : b[k * p + j]);
            c[i * p + j] = sum;
        }
}

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *w = malloc(n_q * n_k * sizeof(float));
    float *dw = malloc(n_q * n_k * sizeof(float));
    float *s = calloc(n_k, sizeof(float));
    float root = sqrtf((float)d_k);

    if (w && dw && s) {
        /* forwards */
        mm(n_q, d_k, n_k, query, 0, key, 1, w);
        for (size_t i = 0; i < n_q; i++) {
            float *row = w + i * n_k;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n_k; j++)
                top = fmaxf(top, row[j] / root);
            for (size_t j = 0; j < n_k; j++)
                total += row[j] = expf(row[j] / root - top);
            for (size_t j = 0; j < n_k; j++)
                row[j] /= total;
        }
        /* backwards */
        mm(n_k, n_q, d_v, w, 1, d_context, 0, d_value);
        mm(n_q, d_v, n_k, d_context, 0, value, 1, dw);
        for (size_t i = 0; i < n_q; i++)
            for (size_t j = 0; j < n_k; j++)
                s[j] += w[i * n_k + j] * dw[i * n_k + j];
        for (size_t i = 0; i < n_q; i++)
            for (size_t j = 0; j < n_k; j++)
                dw[i * n_k + j] = w[i * n_k + j] * (dw[i * n_k + j] - s[j]) / root;
        mm(n_q, n_k, d_k, dw, 0, key, 0, d_query);
        mm(n_k, n_q, d_k, dw, 1, query, 0, d_key);
    }
    free(w);
    free(dw);
    free(s);
}
