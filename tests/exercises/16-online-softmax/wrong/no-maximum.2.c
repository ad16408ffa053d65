/* Hopes that double is wide enough. */
#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t v = 0; v < d_v; v++) {
            double sum = 0, mixed = 0;
            for (size_t j = 0; j < n_k; j++) {
                double score = 0;
                for (size_t c = 0; c < d_k; c++)
                    score += (double)query[i * d_k + c] * (double)key[j * d_k + c];
                const double term = exp(score / sqrt((double)d_k));
                sum += term;
                mixed += term * (double)value[j * d_v + v];
            }
            context[i * d_v + v] = (float)(mixed / sum);
        }
}
