#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    double *weights = malloc(n_q * n_k * sizeof *weights);
    double *d_scaled = malloc(n_q * n_k * sizeof *d_scaled);
    if (!weights || !d_scaled)
        goto end;
    const double root = sqrt((double)d_k);

    for (size_t i = 0; i < n_q; i++) {
        double *w = weights + i * n_k;
        double top = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += (double)query[i * d_k + d] * key[j * d_k + d];
            w[j] /= root;
            top = fmax(top, w[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            total += w[j] = exp(w[j] - top);
        for (size_t j = 0; j < n_k; j++)
            w[j] /= total;

        double s = 0;
        for (size_t j = 0; j < n_k; j++) {
            double dw = 0;
            for (size_t c = 0; c < d_v; c++)
                dw += (double)d_context[i * d_v + c] * value[j * d_v + c];
            s += w[j] * dw;
            d_scaled[i * n_k + j] = w[j] * (dw - s);
        }
    }

    for (size_t i = 0; i < n_q; i++)
        for (size_t d = 0; d < d_k; d++) {
            double sum = 0;
            for (size_t j = 0; j < n_k; j++)
                sum += d_scaled[i * n_k + j] * key[j * d_k + d];
            d_query[i * d_k + d] = (float)sum;
        }
    for (size_t j = 0; j < n_k; j++)
        for (size_t d = 0; d < d_k; d++) {
            double sum = 0;
            for (size_t i = 0; i < n_q; i++)
                sum += d_scaled[i * n_k + j] * query[i * d_k + d];
            d_key[j * d_k + d] = (float)(sum / root);
        }
    for (size_t j = 0; j < n_k; j++)
        for (size_t c = 0; c < d_v; c++) {
            double sum = 0;
            for (size_t i = 0; i < n_q; i++)
                sum += weights[i * n_k + j] * d_context[i * d_v + c];
            d_value[j * d_v + c] = (float)sum;
        }
end:
    free(weights);
    free(d_scaled);
}
