#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *row = malloc(n * sizeof(*row));
    if (row == NULL)
        return;

    for (size_t i = 0; i < n; i++)
    {
        for (size_t j = 0; j < n; j++)
            row[j] = 0.0f;

        for (size_t j = 0; j <= i; j++)
        {
            for (size_t d = 0; d < d_k; d++)
                row[j] += query[i * d_k + d] * key[j * d_k + d];
            row[j] /= sqrtf((float)d_k);
        }

        float top = row[0];
        for (size_t j = 1; j < n; j++)
            if (row[j] > top)
                top = row[j];

        float total = 0.0f;
        for (size_t j = 0; j < n; j++)
            total += expf(row[j] - top);

        for (size_t c = 0; c < d_v; c++)
        {
            float sum = 0.0f;
            for (size_t j = 0; j <= i; j++)
                sum += expf(row[j] - top) / total * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(row);
}
