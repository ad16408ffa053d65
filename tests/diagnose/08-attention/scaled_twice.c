#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax(double *v, size_t n)
{
    double m = v[0], t = 0;
    for (size_t k = 1; k < n; k++)
        if (v[k] > m)
            m = v[k];
    for (size_t k = 0; k < n; k++)
        t += v[k] = exp(v[k] - m);
    for (size_t k = 0; k < n; k++)
        v[k] /= t;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    double scale = 1.0 / sqrt((double)d_k);
    double *q = malloc(d_k * sizeof *q);
    double *w = malloc(n_k * sizeof *w);
    if (q && w) {
        for (size_t i = 0; i < n_q; i++) {
            for (size_t d = 0; d < d_k; d++)
                q[d] = query[i * d_k + d] * scale;
            for (size_t j = 0; j < n_k; j++) {
                double s = 0;
                for (size_t d = 0; d < d_k; d++)
                    s += q[d] * key[j * d_k + d];
                w[j] = s * scale;
            }
            softmax(w, n_k);
            for (size_t c = 0; c < d_v; c++) {
                double s = 0;
                for (size_t j = 0; j < n_k; j++)
                    s += w[j] * value[j * d_v + c];
                context[i * d_v + c] = (float)s;
            }
        }
    }
    free(w);
    free(q);
}
