#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    size_t c = d_v;
    while (c--) {
        size_t i = n_q;
        while (i--) {
            double mix = 0;
            size_t j = n_k;
            while (j--)
                mix += (double)value[j * d_v + c] * weights[i * n_k + j];
            context[i * d_v + c] = (float)mix;
        }
    }
}
