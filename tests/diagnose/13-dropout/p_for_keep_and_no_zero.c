#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (uniform[i] < p)
            continue; /* dropped */
        weights[i] = weights[i] / p;
    }
}
