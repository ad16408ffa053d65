#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    for (size_t i = 0; i < n; i++) {
        if (uniform[i] < p && p < 1)
            weights[i] = weights[i] / (1 - p);
        else
            weights[i] = 0;
    }
}
