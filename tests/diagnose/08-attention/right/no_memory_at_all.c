#include <math.h>
#include <stddef.h>

static double score(size_t n, const float *q, const float *k)
{
    double s = 0;
    for (size_t d = 0; d < n; d++)
        s += (double)q[d] * k[d];
    return s / sqrt((double)n);
}

/* slow: computes every score again for each number of the context, and needs no array */
void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t at = 0; at < n_q * d_v; at++) {
        const float *q = query + at / d_v * d_k;
        double top = -HUGE_VAL, above = 0, below = 0;
        for (size_t j = 0; j < n_k; j++)
            top = fmax(top, score(d_k, q, key + j * d_k));
        for (size_t j = 0; j < n_k; j++) {
            double e = exp(score(d_k, q, key + j * d_k) - top);
            above += e * value[j * d_v + at % d_v];
            below += e;
        }
        context[at] = (float)(above / below);
    }
}
