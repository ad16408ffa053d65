#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    for (size_t i = 0; i < n; i++) {
        float w = weights[i];
        if (w >= p) // big enough, so it survives
            weights[i] = w / (1 - p);
        else
            weights[i] = 0;
    }
}
