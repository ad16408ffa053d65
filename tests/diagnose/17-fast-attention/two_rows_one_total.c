#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static float dot(const float *a, const float *b, size_t d)
{
    float lane[8] = {0};
    size_t c = 0;
    for (; c + 8 <= d; c += 8)
        for (int l = 0; l < 8; l++)
            lane[l] += a[c + l] * b[c + l];
    float s = 0;
    for (; c < d; c++)
        s += a[c] * b[c];
    for (int l = 0; l < 8; l++)
        s += lane[l];
    return s;
}

static float row_weights(size_t n, size_t d, const float *q, const float *key, float *w)
{
    float max = -INFINITY, sum = 0, scale = 1 / sqrtf((float)d);
    for (size_t j = 0; j < n; j++) {
        w[j] = scale * dot(q, key + j * d, d);
        if (w[j] > max)
            max = w[j];
    }
    for (size_t j = 0; j < n; j++)
        sum += w[j] = expf(w[j] - max);
    return sum;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *w0 = malloc(2 * n * sizeof *w0);
    if (w0 == NULL)
        return;
    float *w1 = w0 + n;
    memset(context, 0, n * d * sizeof *context);
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        float sum0 = row_weights(n, d, query + i * d, key, w0);
        float sum1 = row_weights(n, d, query + (i + 1) * d, key, w1);
        (void)sum1;
        float *restrict out0 = context + i * d, *restrict out1 = context + (i + 1) * d;
        for (size_t j = 0; j < n; j++) {
            const float *v = value + j * d;
            float a = w0[j] / sum0, b = w1[j] / sum0;
            for (size_t c = 0; c < d; c++) {
                out0[c] += a * v[c];
                out1[c] += b * v[c];
            }
        }
    }
    if (i < n) {
        float sum = row_weights(n, d, query + i * d, key, w0);
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d; c++)
                context[i * d + c] += w0[j] / sum * value[j * d + c];
    }
    free(w0);
}
