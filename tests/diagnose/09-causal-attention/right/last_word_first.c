#include <math.h>
#include <stddef.h>

static void one_word(size_t seen, size_t d_k, size_t d_v, const float *q, const float *key,
                     const float *value, float *out)
{
    double w[seen], top = -HUGE_VAL, z = 0;
    for (size_t j = seen; j-- > 0;) {
        w[j] = 0;
        for (size_t d = 0; d < d_k; d++)
            w[j] += (double)q[d] * (double)key[j * d_k + d];
        w[j] /= sqrt((double)d_k);
        top = w[j] > top ? w[j] : top;
    }
    for (size_t j = 0; j < seen; j++)
        z += exp(w[j] - top);
    for (size_t c = 0; c < d_v; c++) {
        double x = 0;
        for (size_t j = 0; j < seen; j++)
            x += exp(w[j] - top - log(z)) * (double)value[j * d_v + c];
        out[c] = (float)x;
    }
}

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    if (n == 0)
        return;
    one_word(n, d_k, d_v, query + (n - 1) * d_k, key, value, context + (n - 1) * d_v);
    causal_attention(n - 1, d_k, d_v, query, key, value, context);
}
