/* Query by query in double; the scale goes to the query, and the division comes last. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    double *shares = malloc((n_k + d_k) * sizeof *shares), *q = shares + n_k;
    if (shares == NULL)
        return;
    for (size_t i = 0; i < n_q; i++) {
        double top = -INFINITY, sum = 0.0;
        for (size_t d = 0; d < d_k; d++)
            q[d] = (double)query[i * d_k + d] / sqrt((double)d_k);
        for (size_t j = 0; j < n_k; j++) {
            shares[j] = 0.0;
            for (size_t d = 0; d < d_k; d++)
                shares[j] += q[d] * (double)key[j * d_k + d];
            top = fmax(top, shares[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += shares[j] = exp(shares[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            double mixed = 0.0;
            for (size_t j = n_k; j-- > 0;)
                mixed += shares[j] * (double)value[j * d_v + c];
            context[i * d_v + c] = (float)(mixed / sum);
        }
    }
    free(shares);
}
