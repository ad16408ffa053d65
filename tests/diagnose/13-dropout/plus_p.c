#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float *w = weights;
    const float *u = uniform;
    while (n--) {
        *w = (*u >= p) * *w / (1 + p);
        w++;
        u++;
    }
}
