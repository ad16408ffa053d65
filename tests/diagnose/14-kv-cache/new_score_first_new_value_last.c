#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float scaled_dot(const float *a, const float *b, size_t n)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s / sqrtf((float)n);
}

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
    float *scores = malloc((n_past + 1) * sizeof(float));
    size_t count = 0;

    scores[count++] = scaled_dot(query, new_key, d_k);
    for (size_t row = 0; row < n_past; row++)
        scores[count++] = scaled_dot(query, key_cache + row * d_k, d_k);

    for (size_t d = 0; d < d_k; d++)
        key_cache[n_past * d_k + d] = new_key[d];
    for (size_t c = 0; c < d_v; c++)
        value_cache[n_past * d_v + c] = new_value[c];

    float top = scores[0], total = 0;
    for (size_t j = 1; j < count; j++)
        if (scores[j] > top)
            top = scores[j];
    for (size_t c = 0; c < d_v; c++)
        context[c] = 0;
    for (size_t j = 0; j < count; j++) {
        float e = expf(scores[j] - top);
        total += e;
        for (size_t c = 0; c < d_v; c++)
            context[c] += e * value_cache[j * d_v + c];
    }
    for (size_t c = 0; c < d_v; c++)
        context[c] /= total;
    free(scores);
}
