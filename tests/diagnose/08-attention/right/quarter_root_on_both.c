#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Query and key are both divided by the fourth root: together that is the square root. */
void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    double r = sqrt(sqrt((double)d_k));
    double *w = malloc(n_k * sizeof *w);
    if (!w)
        return;
    for (size_t i = 0; i < n_q; i++) {
        double top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += (query[i * d_k + d] / r) * (key[j * d_k + d] / r);
            top = fmax(top, w[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += w[j] = exp(w[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            double mix = 0;
            for (size_t j = 0; j < n_k; j++)
                mix += (w[j] / sum) * value[j * d_v + c];
            context[i * d_v + c] = (float)mix;
        }
    }
    free(w);
}
