#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    int left = 1 - p;   /* the part that is left */
    for (size_t i = 0; i < n; i++)
        weights[i] = (uniform[i] >= p) ? weights[i] / left : 0;
}
