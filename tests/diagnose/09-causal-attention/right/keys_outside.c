#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Goes through the keys; each later query carries its own top and sum along. */
void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    struct { double top, sum; } *q = malloc(n * sizeof *q);
    double *mix = calloc(n * d_v, sizeof *mix);
    for (size_t i = 0; i < n; i++)
        q[i].top = -INFINITY, q[i].sum = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            double s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += (double)query[i * d_k + d] * key[j * d_k + d];
            s /= sqrt(d_k);
            double top = fmax(q[i].top, s), old = exp(q[i].top - top), now = exp(s - top);
            q[i].top = top;
            q[i].sum = q[i].sum * old + now;
            for (size_t c = 0; c < d_v; c++)
                mix[i * d_v + c] = mix[i * d_v + c] * old + now * value[j * d_v + c];
        }
    for (size_t at = 0; at < n * d_v; at++)
        context[at] = mix[at] / q[at / d_v].sum;
    free(q);
    free(mix);
}
