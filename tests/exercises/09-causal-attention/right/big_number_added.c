/* The mask is a matrix that is added to the scores, with -1e9 for hidden: every row sees itself, so
 * that is far enough. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t d = 0; d < n; d++)
        sum += a[d] * b[d];
    return sum;
}

static void softmax(size_t n, float *row)
{
    float top = row[0], sum = 0.0f;
    for (size_t j = 1; j < n; j++)
        top = row[j] > top ? row[j] : top;
    for (size_t j = 0; j < n; j++)
        sum += row[j] = expf(row[j] - top);
    for (size_t j = 0; j < n; j++)
        row[j] /= sum;
}

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *mask = calloc(n * n, sizeof *mask);
    if (mask == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            mask[i * n + j] = -1e9f;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            mask[i * n + j] += dot(d_k, query + i * d_k, key + j * d_k) / sqrtf((float)d_k);
    for (size_t i = 0; i < n; i++)
        softmax(n, mask + i * n);
    for (size_t i = 0; i < n * d_v; i++)
        context[i] = 0.0f;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += mask[i * n + j] * value[j * d_v + c];
    free(mask);
}
