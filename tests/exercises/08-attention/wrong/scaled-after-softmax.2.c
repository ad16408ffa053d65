#include <math.h>
#include <stddef.h>

/* context += factor * value */
static void add(size_t n, float factor, const float *value, float *context)
{
    for (size_t c = 0; c < n; c++)
        context[c] += factor * value[c];
}

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t d = 0; d < n; d++)
        sum += a[d] * b[d];
    return sum;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    const float scale = 1.0f / sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++, query += d_k, context += d_v) {
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            top = fmaxf(top, dot(d_k, query, key + j * d_k));
        for (size_t j = 0; j < n_k; j++)
            sum += expf(dot(d_k, query, key + j * d_k) - top);
        for (size_t c = 0; c < d_v; c++)
            context[c] = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float weight = expf(dot(d_k, query, key + j * d_k) - top) / sum;
            add(d_v, weight * scale, value + j * d_v, context);
        }
    }
}
