#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Weights add up to 1, so the context is value 0 plus the weighted differences to value 0. */
void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    double *w = malloc(n_k * sizeof *w);
    if (!w)
        return;
    for (size_t i = n_q; i-- > 0;) {
        double top = -INFINITY, sum = 0;
        for (size_t j = n_k; j-- > 0;) {
            w[j] = 0;
            for (size_t d = d_k; d-- > 0;)
                w[j] += (double)query[i * d_k + d] * key[j * d_k + d];
            w[j] *= pow(d_k, -0.5);
            top = w[j] > top ? w[j] : top;
        }
        for (size_t j = 0; j < n_k; j++)
            sum += w[j] = exp(w[j] - top);
        for (size_t c = d_v; c-- > 0;) {
            double moved = 0;
            for (size_t j = 1; j < n_k; j++)
                moved += w[j] / sum * ((double)value[j * d_v + c] - value[c]);
            context[i * d_v + c] = (float)(value[c] + moved);
        }
    }
    free(w);
}
