#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static float scaled_score(const float *q, const float *k, size_t d_k)
{
    float s = 0;
    while (d_k-- > 0)
        s += q[d_k] * k[d_k];
    return s;
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    float scale = 1.0f / sqrtf((float)d_k);
    float *mix = malloc(d_v * sizeof(float));
    if (mix == NULL)
        return;

    for (size_t i = 0; i < n_q; i++)
    {
        /* start with the first key: its exponential is exp(0) = 1 */
        float top = scale * scaled_score(query + i * d_k, key, d_k);
        float sum = 1;
        memcpy(mix, value, d_v * sizeof(float));

        for (size_t j = 0; j < n_k; j++)
        {
            float s = scale * scaled_score(query + i * d_k, key + j * d_k, d_k);
            if (s > top)
            {
                float factor = expf(top - s);
                sum *= factor;
                for (size_t c = 0; c < d_v; c++)
                    mix[c] *= factor;
                top = s;
            }
            float e = expf(s - top);
            sum += e;
            for (size_t c = 0; c < d_v; c++)
                mix[c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = mix[c] / sum;
    }
    free(mix);
}
