/* One pass over the keys: a running maximum, and a row that shrinks when the maximum grows. */
#include <math.h>
#include <stddef.h>

static float dot(size_t d, const float *a, const float *b)
{
    float sums[8] = {0}, sum = 0;
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        for (size_t lane = 0; lane < 8; lane++)
            sums[lane] += a[c + lane] * b[c + lane];
    for (; c < d; c++)
        sum += a[c] * b[c];
    for (size_t lane = 0; lane < 8; lane++)
        sum += sums[lane];
    return sum;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    for (size_t i = 0; i < n; i++) {
        float *row = context + i * d, max = -INFINITY, sum = 0;
        for (size_t c = 0; c < d; c++)
            row[c] = 0;
        for (size_t j = 0; j < n; j++) {
            const float score = dot(d, query + i * d, key + j * d) * scale;
            if (score > max) {
                const float shrink = expf(max - score);
                sum *= shrink;
                for (size_t c = 0; c < d; c++)
                    row[c] *= shrink;
                max = score;
            }
            const float term = expf(score - max);
            sum += term;
            for (size_t c = 0; c < d; c++)
                row[c] += term * value[j * d + c];
        }
        for (size_t c = 0; c < d; c++)
            row[c] /= sum;
    }
}
