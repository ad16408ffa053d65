#include <math.h>
#include <stddef.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    enum { FOUR = 4, LANES = 8 };
    const float root = sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        const float *q = query + i * d;
        float *restrict out = context + i * d;
        float sum = 0;
        for (size_t c = 0; c < d; c++)
            out[c] = 0;
        for (size_t j0 = 0; j0 < n; j0 += FOUR) {
            size_t count = n - j0 < FOUR ? n - j0 : FOUR;
            float s[FOUR], max = -INFINITY;
            for (size_t j = 0; j < count; j++) {
                const float *k = key + (j0 + j) * d;
                float lane[LANES] = {0}, rest = 0;
                size_t c = 0;
                for (; c + LANES <= d; c += LANES)
                    for (size_t l = 0; l < LANES; l++)
                        lane[l] += q[c + l] * k[c + l];
                for (; c < d; c++)
                    rest += q[c] * k[c];
                for (size_t l = 0; l < LANES; l++)
                    rest += lane[l];
                s[j] = rest / root;
                if (s[j] > max)
                    max = s[j];
            }
            for (size_t j = 0; j < count; j++) {
                const float *v = value + (j0 + j) * d;
                float e = expf(s[j] - max);
                sum += e;
                for (size_t c = 0; c < d; c++)
                    out[c] += e * v[c];
            }
        }
        for (size_t c = 0; c < d; c++)
            out[c] /= sum;
    }
}
