#include <math.h>
#include <stddef.h>

static float score(const float *q, const float *k, size_t n)
{
    float s = 0;
    for (size_t d = 0; d < n; d++)
        s += q[d] * k[d];
    return s / sqrtf((float)n);
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++, query += d_k, context += d_v) {
        float top = score(query, key, d_k);
        float total = 1;
        for (size_t c = 0; c < d_v; c++)
            context[c] = value[c];
        for (size_t j = 1; j < n_k; j++) {
            float s = score(query, key + j * d_k, d_k);
            if (s > top) {
                float factor = expf(top - s);
                total *= factor;
                *context *= factor;
                top = s;
            }
            float e = expf(s - top);
            total += e;
            for (size_t c = 0; c < d_v; c++)
                context[c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            context[c] /= total;
    }
}
