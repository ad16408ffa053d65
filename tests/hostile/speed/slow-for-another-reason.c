// expect: too_slow | no idea
// Sums that wait for nothing, and time that is wasted elsewhere: no order of sums would help.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(size_t d, const float *a, const float *b)
{
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    size_t c = 0;
    for (; c + 8 <= d; c += 8) {
        s0 += a[c] * b[c];
        s1 += a[c + 1] * b[c + 1];
        s2 += a[c + 2] * b[c + 2];
        s3 += a[c + 3] * b[c + 3];
        s4 += a[c + 4] * b[c + 4];
        s5 += a[c + 5] * b[c + 5];
        s6 += a[c + 6] * b[c + 6];
        s7 += a[c + 7] * b[c + 7];
    }
    float sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    for (; c < d; c++)
        sum += a[c] * b[c];
    return sum;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    float *weights = malloc(n * sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float *row = context + i * d, max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            weights[j] = dot(d, query + i * d, key + j * d) * scale;
            max = weights[j] > max ? weights[j] : max;
        }
        for (size_t j = 0; j < n; j++) {
            for (volatile int wasted = 0; wasted < 200;)
                wasted = wasted + 1;
            weights[j] = expf(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d; c++)
            row[c] = 0;
        for (size_t j = 0; j < n; j++) {
            const float weight = weights[j] / sum;
            for (size_t c = 0; c < d; c++)
                row[c] += weight * value[j * d + c];
        }
    }
    free(weights);
}
