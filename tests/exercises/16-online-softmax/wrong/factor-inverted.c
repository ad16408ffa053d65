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
        float max = dot(d_k, query + i * d_k, key) / sqrtf((float)d_k), sum = 1;
        for (size_t c = 0; c < d_v; c++)
            row[c] = value[c];
        for (size_t j = 1; j < n_k; j++) {
            const float score = dot(d_k, query + i * d_k, key + j * d_k) / sqrtf((float)d_k);
            const float new_max = fmaxf(max, score);
            const float factor = expf(new_max - max), term = expf(score - new_max);
            sum = sum * factor + term;
            for (size_t c = 0; c < d_v; c++)
                row[c] = row[c] * factor + term * value[j * d_v + c];
            max = new_max;
        }
        for (size_t c = 0; c < d_v; c++)
            row[c] /= sum;
    }
}
