#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    const float root = sqrtf((float)d_k);
    double *weights = calloc(n_k, sizeof(double)), *d_weights = calloc(n_k, sizeof(double));
    for (size_t x = 0; x < n_q * d_k; x++) d_query[x] = 0;
    for (size_t x = 0; x < n_k * d_k; x++) d_key[x] = 0;
    for (size_t x = 0; x < n_k * d_v; x++) d_value[x] = 0;
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        const float *dc = d_context + i * d_v;
        double largest = -INFINITY, total = 0, mean = 0;
        for (size_t j = 0; j < n_k; j++) {
            double s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += (double)q[d] * key[j * d_k + d];
            weights[j] = s / root;
            if (weights[j] > largest)
                largest = weights[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            weights[j] = exp(weights[j] - largest);
            total += weights[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            weights[j] /= total;
            d_weights[j] = 0;
            for (size_t d = 0; d < d_v; d++) {
                d_weights[j] += (double)dc[d] * value[j * d_v + d];
                d_value[j * d_v + d] += weights[j] * dc[d];
            }
            mean += weights[j] * d_weights[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            double slope = weights[j] * (d_weights[j] - mean) / root;
            for (size_t d = 0; d < d_k; d++) {
                d_query[i * d_k + d] += slope * key[j * d_k + d];
                d_key[j * d_k + d] = slope * q[d];
            }
        }
    }
    free(weights);
    free(d_weights);
}
