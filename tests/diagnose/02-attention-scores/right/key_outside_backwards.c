#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    size_t j = n_k;
    do {
        j--;
        for (size_t i = n_q; i-- > 0;) {
            long double sum = 0;
            const float *q = query + (i + 1) * d_k, *k = key + (j + 1) * d_k;
            for (size_t left = d_k; left > 0; left--)
                sum += (long double)*--q * *--k;
            scores[i * n_k + j] = (float)sum;
        }
    } while (j > 0);
}
