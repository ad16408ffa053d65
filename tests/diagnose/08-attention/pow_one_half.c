#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    size_t i, j, d;
    for (i = 0; i < n_q; i++) {
        double w[n_k], top = -1e300, sum = 0;
        for (j = 0; j < n_k; j++) {
            w[j] = 0;
            for (d = 0; d < d_k; d++)
                w[j] += (double)query[i * d_k + d] * key[j * d_k + d];
            w[j] = w[j] / pow(d_k, 1 / 2);
            if (w[j] > top)
                top = w[j];
        }
        for (j = 0; j < n_k; j++)
            sum += w[j] = exp(w[j] - top);
        for (d = 0; d < d_v; d++) {
            double out = 0;
            for (j = 0; j < n_k; j++)
                out += w[j] * value[j * d_v + d];
            context[i * d_v + d] = out / sum;
        }
    }
}
