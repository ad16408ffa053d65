#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    const float keep_rate = 1.0f - p;
    for (size_t i = 0; i < n; i++)
        weights[i] = uniform[i] < keep_rate ? weights[i] / keep_rate : 0.0f;
}
