#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    size_t gone = (size_t)(n * p);
    for (size_t i = 0; i < n; i++) {
        if (i < gone)
            weights[i] = 0;
        else
            weights[i] /= 1 - p;
    }
}
