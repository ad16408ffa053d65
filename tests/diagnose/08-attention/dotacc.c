#include <stdlib.h>
#include <math.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *s = malloc(sizeof(float) * n_k);

    for (size_t q = 0; q < n_q; q++)
    {
        float dot = 0, max = -INFINITY, sum = 0;
        for (size_t k = 0; k < n_k; k++)
        {
            for (size_t d = 0; d < d_k; d++)
                dot += query[q * d_k + d] * key[k * d_k + d];
            s[k] = dot / sqrtf(d_k);
            if (s[k] > max) max = s[k];
        }
        for (size_t k = 0; k < n_k; k++)
        {
            s[k] = expf(s[k] - max);
            sum += s[k];
        }
        for (size_t c = 0; c < d_v; c++)
        {
            float x = 0;
            for (size_t k = 0; k < n_k; k++)
                x += s[k] * value[k * d_v + c];
            context[q * d_v + c] = x / sum;
        }
    }
    free(s);
}
