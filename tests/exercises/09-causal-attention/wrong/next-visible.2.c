/* Lets the loops run one too far, except at the end of the array. */
#include <math.h>
#include <stddef.h>

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t d = 0; d < n; d++)
        sum += a[d] * b[d];
    return sum;
}

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j <= i + 1 && j < n; j++)
            top = fmaxf(top, dot(d_k, query + i * d_k, key + j * d_k) / sqrtf((float)d_k));
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0.0f;
        for (size_t j = 0; j <= i + 1 && j < n; j++) {
            float score = dot(d_k, query + i * d_k, key + j * d_k) / sqrtf((float)d_k);
            float share = expf(score - top);
            sum += share;
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += share * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= sum;
    }
}
