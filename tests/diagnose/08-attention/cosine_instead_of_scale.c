#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(const float *a, const float *b, size_t n)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static float similarity(const float *a, const float *b, size_t n)
{
    float lengths = sqrtf(dot(a, a, n)) * sqrtf(dot(b, b, n));
    return lengths > 0 ? dot(a, b, n) / lengths : 0.0f;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = similarity(query + i * d_k, key + j * d_k, d_k);
            if (w[j] > top)
                top = w[j];
        }
        for (size_t j = 0; j < n_k; j++)
            total += w[j] = expf(w[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float mixed = 0;
            for (size_t j = 0; j < n_k; j++)
                mixed += w[j] / total * value[j * d_v + c];
            context[i * d_v + c] = mixed;
        }
    }
    free(w);
}
