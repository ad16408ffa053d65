#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    const float *w_end = weights + n_q * n_k;
    for (const float *w = weights; w < w_end; w += n_k, context += d_v) {
        const float *v = value;
        for (size_t c = 0; c < d_v; c++)
            context[c] = *w * *v++;
        for (size_t j = 1; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[c] += w[j] * *v++;
    }
}
