#include <math.h>
#include <stddef.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    for (size_t i = 0; i < n; i++) {
        double w[i + 1], max = -INFINITY, sum = 0;
        for (size_t j = 0; j <= i; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += (double)query[i * d_k + d] * key[j * d_k + d];
            w[j] /= sqrt((double)d_k);
            max = fmax(max, w[j]);
        }
        for (size_t j = 0; j <= i; j++)
            sum += w[j] = pow(2, w[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            double acc = 0;
            for (size_t j = 0; j <= i; j++)
                acc += w[j] * value[j * d_v + c];
            context[i * d_v + c] = acc / sum;
        }
    }
}
