#include <stddef.h>
#include <stdlib.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    float *turned = malloc(n_k * d_v * sizeof *turned);
    if (turned == NULL)
        return;
    for (size_t k = 0; k < n_k * d_v; k++)
        turned[k % d_v * n_k + k / d_v] = value[k];
    for (size_t k = 0; k < n_q * d_v; k++) {
        const float *w = weights + k / d_v * n_k, *v = turned + k % d_v * n_k;
        double sum = 0;
        for (size_t j = n_k; j > 0; j--)
            sum += (double)w[j - 1] * (double)v[j - 1];
        context[k] = (float)sum;
    }
    free(turned);
}
