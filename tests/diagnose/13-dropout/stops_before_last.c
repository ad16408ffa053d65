#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float *w = weights, *last = weights + n - 1;
    while (w < last) {
        *w = *uniform < p ? 0 : *w / (1 - p);
        w++, uniform++;
    }
}
