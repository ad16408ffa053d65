/* One factor for all, worked out before the loop, which runs from the end. */
#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    const float factor = p < 1 ? 1 / (1 - p) : 0;
    for (size_t i = n; i-- > 0;)
        weights[i] = uniform[i] >= p ? weights[i] * factor : 0;
}
