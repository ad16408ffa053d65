#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    double *row = malloc(n_k * sizeof *row);
    size_t i, j, d, c;

    for (i = 0; i < n_k * d_k; i++)
        d_key[i] = 0;
    for (i = 0; i < n_k * d_v; i++)
        d_value[i] = 0;

    for (i = 0; i < n_q; i++) {
        double s = 0;
        for (c = 0; c < d_v; c++)
            s += (double)context[i * d_v + c] * d_context[i * d_v + c];

        for (j = 0; j < n_k; j++) {
            double score = 0, dw = 0, w;
            for (d = 0; d < d_k; d++)
                score += (double)query[i * d_k + d] * key[j * d_k + d];
            w = exp(score / sqrt((double)d_k) - lse[i]);
            for (c = 0; c < d_v; c++) {
                dw += (double)d_context[i * d_v + c] * value[j * d_v + c];
                d_value[j * d_v + c] += (float)(w * context[i * d_v + c]);
            }
            row[j] = w * (dw - s) / sqrt((double)d_k);
        }

        for (d = 0; d < d_k; d++) {
            double sum = 0;
            for (j = 0; j < n_k; j++) {
                sum += row[j] * key[j * d_k + d];
                d_key[j * d_k + d] += (float)(row[j] * query[i * d_k + d]);
            }
            d_query[i * d_k + d] = (float)sum;
        }
    }
    free(row);
}
