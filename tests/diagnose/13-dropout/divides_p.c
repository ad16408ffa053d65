#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    size_t i = 0;
    while (i < n) {
        if (uniform[i] < p)
            weights[i] = 0;
        else
            weights[i] = weights[i] * (1 - p);
        i++;
    }
}
