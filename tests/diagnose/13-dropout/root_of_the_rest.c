#include <math.h>
#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float scale = 1.0f / sqrtf(1.0f - p);
    for (size_t i = 0; i < n; i++)
        weights[i] = uniform[i] < p ? 0.0f : weights[i] * scale;
}
