#include <math.h>
#include <stddef.h>

static double score(size_t d_k, const float *q, const float *k)
{
    double s = 0;
    for (size_t d = 0; d < d_k; d++)
        s += (double)q[d] * k[d];
    return s / sqrt((double)d_k);
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            double top = score(d_k, query + i * d_k, key), up = 0, down = 0;
            for (size_t j = 1; j < n_k; j++)
                top = fmax(top, score(d_k, query + i * d_k, key + j * d_k));
            for (size_t j = 0; j < n_k; j++) {
                double e = exp(score(d_k, query + i * d_k, key + j * d_k) - top);
                up += e * value[j * d_v + c];
                down += e;
            }
            context[i * d_v + c] = (float)(up / down);
        }
}
