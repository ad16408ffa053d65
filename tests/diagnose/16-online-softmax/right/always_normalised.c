#include <math.h>
#include <stddef.h>

/* The context is a proper mean at any time: each new value pulls it towards itself by its share.
 * Only the log of the sum is kept, no maximum. */
static double log_add(double a, double b)
{
    double hi = a > b ? a : b, lo = a > b ? b : a;
    return hi + log1p(exp(lo - hi));
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        double mean[d_v];
        double logsum = 0;
        for (size_t j = 0; j < n_k; j++) {
            double s = 0;
            for (size_t c = 0; c < d_k; c++)
                s += (double)query[i * d_k + c] * key[j * d_k + c] / sqrt((double)d_k);
            logsum = j == 0 ? s : log_add(logsum, s);
            double share = exp(s - logsum);
            for (size_t c = 0; c < d_v; c++)
                mean[c] = j == 0 ? value[c] : mean[c] + share * (value[j * d_v + c] - mean[c]);
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = (float)mean[c];
    }
}
