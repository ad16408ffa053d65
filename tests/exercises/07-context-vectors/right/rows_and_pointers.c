/* Builds up a whole row at a time; skips what has no weight. */
#include <stddef.h>

static void add_share(size_t n, float share, const float *from, float *to)
{
    while (n-- > 0)
        *to++ += share * *from++;
}

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (float *end = context + n_q * d_v; context < end; context += d_v) {
        const float *v = value;
        for (size_t c = 0; c < d_v; c++)
            context[c] = 0;
        for (size_t j = 0; j < n_k; j++, v += d_v) {
            if (weights[j] != 0.0f)
                add_share(d_v, weights[j], v, context);
        }
        weights += n_k;
    }
}
