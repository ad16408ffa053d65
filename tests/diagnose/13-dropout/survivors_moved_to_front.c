#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float *put = weights;
    for (size_t i = 0; i < n; i++)
        if (uniform[i] >= p)
            *put++ = weights[i] / (1 - p);
    while (put < weights + n)
        *put++ = 0;
}
