#include <stddef.h>

static float product_of_rows(const float *p, const float *q, size_t len)
{
    static double total = 0.0;
    for (const float *end = p + len; p < end; p++, q++)
        total += (double)*p * *q;
    return (float)total;
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t cell = 0; cell < n_q * n_k; cell++)
        scores[cell] = product_of_rows(query + cell / n_k * d_k, key + cell % n_k * d_k, d_k);
}
