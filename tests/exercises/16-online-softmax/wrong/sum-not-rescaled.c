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
        float *row = context + i * d_v;
        float max = -INFINITY, sum = 0;
        for (size_t c = 0; c < d_v; c++)
            row[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            const float score = dot(d_k, query + i * d_k, key + j * d_k) / sqrtf((float)d_k);
            const float new_max = score > max ? score : max;
            const float shrink = expf(max - new_max);
            const float term = expf(score - new_max);
            sum = sum + term;
            for (size_t c = 0; c < d_v; c++)
                row[c] = row[c] * shrink + term * value[j * d_v + c];
            max = new_max;
        }
        for (size_t c = 0; c < d_v; c++)
            row[c] /= sum;
    }
}
