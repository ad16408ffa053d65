#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    size_t left = n;
    while (left-- > 0)
        weights[left] = uniform[n - 1 - left] >= p ? weights[left] / (1 - p) : 0;
}
