#include <math.h>
#include <stddef.h>

static double score(const float *q, const float *k, size_t len)
{
    double s = 0;
    for (size_t d = 0; d < len; d++)
        s += (double)q[d] * k[d];
    return s / sqrt((double)len);
}

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    for (size_t i = 0; i < n; i++) {
        const float *q = query + i * d_k;
        size_t from = i == 0 ? 0 : i - 1;
        double top = score(q, key + i * d_k, d_k), total = 0;
        for (size_t j = from; j < i; j++)
            top = fmax(top, score(q, key + j * d_k, d_k));
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;
        for (size_t j = from; j <= i; j++)
            total += exp(score(q, key + j * d_k, d_k) - top);
        for (size_t j = from; j <= i; j++) {
            double w = exp(score(q, key + j * d_k, d_k) - top) / total;
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += (float)(w * value[j * d_v + c]);
        }
    }
}
