#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    for (size_t i = 0; i < n; i++) {
        if (uniform[(i + 1) % n] < p)
            weights[i] = 0.0f;
        else
            weights[i] = weights[i] / (1.0f - p);
    }
}

