#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float len(const float *x, size_t n)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrtf(s);
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            w[j] = dot / (len(query + i * d_k, d_k) * len(key + j * d_k, d_k));
            if (w[j] > max)
                max = w[j];
        }
        for (size_t j = 0; j < n_k; j++)
            sum += w[j] = expf(w[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n_k; j++)
                mix += w[j] * value[j * d_v + c];
            context[i * d_v + c] = mix / sum;
        }
    }
    free(w);
}
