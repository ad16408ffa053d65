#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    for (size_t i = 0; i < n; ++i)
        weights[i] = uniform[i] < p ? weights[i] / (1.0f - p) : 0.0f;
}
