#include <math.h>
#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float factor = p < 1 ? 1 / (1 - p) : 0;
    for (size_t i = 0; i < n; i++)
        weights[i] *= isless(uniform[i], p) ? 0 : factor;
}
