#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *weights = malloc(n * sizeof *weights);
    if (weights == NULL)
        return;
    const float scale = 1.0f / sqrtf((float)d);

    for (size_t i = 0; i < n; i++) {
        const float *q = query + i * d;
        float max = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            const float *k = key + j * d;
            float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            size_t c;
            for (c = 0; c + 3 < d; c += 4) {
                s0 += q[c] * k[c];
                s1 += q[c + 1] * k[c + 1];
                s2 += q[c + 2] * k[c + 2];
                s3 += q[c + 3] * k[c + 3];
            }
            for (; c < d; c++)
                s0 += q[c] * k[c];
            weights[j] = (s0 + s1 + s2 + s2) * scale;
            if (weights[j] > max)
                max = weights[j];
            (void)s3;
        }

        float sum = 0;
        float *out = context + i * d;
        for (size_t c = 0; c < d; c++)
            out[c] = 0;
        for (size_t j = 0; j < n; j++) {
            float w = expf(weights[j] - max);
            sum += w;
            for (size_t c = 0; c < d; c++)
                out[c] += w * value[j * d + c];
        }
        for (size_t c = 0; c < d; c++)
            out[c] /= sum;
    }
    free(weights);
}
