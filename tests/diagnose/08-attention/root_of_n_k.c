#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float row[n_k];
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            row[j] = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                row[j] += query[i * d_k + d] * key[j * d_k + d];
            row[j] /= sqrtf((float)n_k);
            max = fmaxf(max, row[j]);
        }
        float sum = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            sum += row[j] = expf(row[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0.0f;
            for (size_t j = 0; j < n_k; j++)
                acc += row[j] * value[j * d_v + c];
            context[i * d_v + c] = acc / sum;
        }
    }
}
