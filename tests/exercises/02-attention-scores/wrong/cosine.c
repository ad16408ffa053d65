#include <math.h>
#include <stddef.h>

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            const float *q = query + i * d_k, *k = key + j * d_k;
            scores[i * n_k + j] = dot(d_k, q, k) / sqrtf(dot(d_k, q, q) * dot(d_k, k, k));
        }
    }
}
