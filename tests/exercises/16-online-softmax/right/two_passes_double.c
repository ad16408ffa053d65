/* Finds the maximum first and computes every score twice, in double: no array either. */
#include <math.h>
#include <stddef.h>

static double score(size_t d_k, const float *query, const float *key)
{
    double sum = 0;
    for (size_t c = 0; c < d_k; c++)
        sum += (double)query[c] * (double)key[c];
    return sum / sqrt((double)d_k);
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        double max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++)
            max = fmax(max, score(d_k, q, key + j * d_k));
        for (size_t j = 0; j < n_k; j++)
            sum += exp(score(d_k, q, key + j * d_k) - max);
        for (size_t c = 0; c < d_v; c++) {
            double mixed = 0;
            for (size_t j = 0; j < n_k; j++)
                mixed += exp(score(d_k, q, key + j * d_k) - max) * (double)value[j * d_v + c];
            context[i * d_v + c] = (float)(mixed / sum);
        }
    }
}
