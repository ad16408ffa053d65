/* Trusts in double. */
#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t c = 0; c < d_v; c++) {
            double sum = 0.0, mixed = 0.0;
            for (size_t j = 0; j < n_k; j++) {
                double score = 0.0;
                for (size_t d = 0; d < d_k; d++)
                    score += (double)query[i * d_k + d] * (double)key[j * d_k + d];
                double share = exp(score / sqrt((double)d_k));
                sum += share;
                mixed += share * (double)value[j * d_v + c];
            }
            context[i * d_v + c] = (float)(mixed / sum);
        }
    }
}
