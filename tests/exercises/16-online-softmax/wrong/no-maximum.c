#include <math.h>
#include <stddef.h>

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t c = 0; c < n; c++)
        sum += a[c] * b[c];
    return sum;
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float *row = context + i * d_v, sum = 0;
        for (size_t c = 0; c < d_v; c++)
            row[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            const float term = expf(dot(d_k, query + i * d_k, key + j * d_k) / sqrtf((float)d_k));
            sum += term;
            for (size_t c = 0; c < d_v; c++)
                row[c] += term * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            row[c] /= sum;
    }
}
