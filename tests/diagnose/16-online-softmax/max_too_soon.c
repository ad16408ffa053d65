#include <math.h>
#include <stddef.h>

static float scaled_dot(const float *a, const float *b, size_t n)
{
    float s = 0;
    for (size_t k = 0; k < n; k++)
        s += a[k] * b[k];
    return s / sqrtf((float)n);
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        float *out = context + i * d_v;
        float running_max = scaled_dot(q, key, d_k);
        float running_sum = 1;
        for (size_t c = 0; c < d_v; c++)
            out[c] = value[c];
        for (size_t j = 1; j < n_k; j++) {
            float s = scaled_dot(q, key + j * d_k, d_k);
            running_max = fmaxf(running_max, s);
            float factor = expf(running_max - fmaxf(running_max, s));
            float e = expf(s - running_max);
            running_sum = running_sum * factor + e;
            for (size_t c = 0; c < d_v; c++)
                out[c] = out[c] * factor + e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            out[c] /= running_sum;
    }
}
