#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    double *weight = malloc(2 * n_k * sizeof(double));
    double *d_weight = weight + n_k;

    for (size_t j = 0; j < n_k; j++)
        for (size_t c = 0; c < d_v; c++)
            d_value[j * d_v + c] = 0;

    for (size_t i = 0; i < n_q; i++) {
        for (size_t d = 0; d < d_k; d++)
            d_query[i * d_k + d] = 0;
        for (size_t j = 0; j < n_k; j++)
            for (size_t d = 0; d < d_k; d++)
                d_key[j * d_k + d] = 0;

        double top = -INFINITY, total = 0, s = 0;
        for (size_t j = 0; j < n_k; j++) {
            weight[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                weight[j] += (double)query[i * d_k + d] * key[j * d_k + d];
            weight[j] /= sqrt((double)d_k);
            top = fmax(top, weight[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            total += weight[j] = exp(weight[j] - top);
        for (size_t j = 0; j < n_k; j++) {
            weight[j] /= total;
            d_weight[j] = 0;
            for (size_t c = 0; c < d_v; c++)
                d_weight[j] += (double)d_context[i * d_v + c] * value[j * d_v + c];
            s += weight[j] * d_weight[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            double g = weight[j] * (d_weight[j] - s) / sqrt((double)d_k);
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += (float)(g * key[j * d_k + d]);
                d_key[j * d_k + d] += (float)(g * query[i * d_k + d]);
            }
            for (size_t c = 0; c < d_v; c++)
                d_value[j * d_v + c] += (float)(weight[j] * d_context[i * d_v + c]);
        }
    }
    free(weight);
}
