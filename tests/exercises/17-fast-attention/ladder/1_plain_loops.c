/* The formula as it stands: three matrices, one after the other. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(size_t d, const float *a, const float *b)
{
    float sum = 0;
    for (size_t c = 0; c < d; c++)
        sum += a[c] * b[c];
    return sum;
}

/* x[0..n): exp(x - max), divided by their sum. */
static void softmax(size_t n, float *x)
{
    float max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        max = x[j] > max ? x[j] : max;
    for (size_t j = 0; j < n; j++)
        sum += x[j] = expf(x[j] - max);
    for (size_t j = 0; j < n; j++)
        x[j] /= sum;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *weights = malloc(n * n * sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            weights[i * n + j] = dot(d, query + i * d, key + j * d) / sqrtf((float)d);
    for (size_t i = 0; i < n; i++)
        softmax(n, weights + i * n);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            float sum = 0;
            for (size_t j = 0; j < n; j++)
                sum += weights[i * n + j] * value[j * d + c];
            context[i * d + c] = sum;
        }
    free(weights);
}
