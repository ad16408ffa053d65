/* Keeps the mean so far and moves it towards each new value; only rescales when it must. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    double *mean = malloc(d_v * sizeof *mean);
    if (mean == NULL)
        return;
    for (size_t i = 0; i < n_q; i++) {
        double max = 0, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            double score = 0;
            for (size_t c = 0; c < d_k; c++)
                score += (double)query[i * d_k + c] * (double)key[j * d_k + c];
            score /= sqrt((double)d_k);
            if (j == 0 || score > max) {
                sum = j == 0 ? 0 : sum * exp(max - score);
                max = score;
            }
            sum += exp(score - max);
            const double share = exp(score - max) / sum;
            for (size_t c = 0; c < d_v; c++) {
                const double old = j == 0 ? 0 : mean[c];
                mean[c] = old + share * ((double)value[j * d_v + c] - old);
            }
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = (float)mean[c];
    }
    free(mean);
}
