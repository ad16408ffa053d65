#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float *u = (float *)uniform;
    for (size_t i = 0; i < n; i++) {
        if (u[i] < p)
            u[i] = weights[i] = 0;
        else
            weights[i] /= 1 - p;
    }
}
