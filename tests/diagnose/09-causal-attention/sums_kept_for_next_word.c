#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *mixed = calloc(d_v, sizeof *mixed);
    float top = -INFINITY, total = 0;

    for (size_t i = 0; i < n; i++) {
        /* word i sees what word i - 1 saw, and itself */
        float s = 0;
        for (size_t d = 0; d < d_k; d++)
            s += query[i * d_k + d] * key[i * d_k + d];
        s /= sqrtf((float)d_k);

        float new_top = fmaxf(top, s);
        float shrink = expf(top - new_top);
        float term = expf(s - new_top);
        total = total * shrink + term;
        for (size_t c = 0; c < d_v; c++) {
            mixed[c] = mixed[c] * shrink + term * value[i * d_v + c];
            context[i * d_v + c] = mixed[c] / total;
        }
        top = new_top;
    }
    free(mixed);
}
