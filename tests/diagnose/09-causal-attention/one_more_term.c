#include <math.h>
#include <stddef.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float total = 0;

    for (size_t i = 0; i < n; i++) {
        /* the new word */
        float score = 0;
        for (size_t d = 0; d < d_k; d++)
            score += query[i * d_k + d] * key[i * d_k + d];
        float e = expf(score / sqrtf((float)d_k));

        /* take over what word i - 1 has seen and add the new word */
        float old_total = total;
        total += e;
        for (size_t c = 0; c < d_v; c++) {
            float before = i > 0 ? context[(i - 1) * d_v + c] * old_total : 0;
            context[i * d_v + c] = (before + e * value[i * d_v + c]) / total;
        }
    }
}
