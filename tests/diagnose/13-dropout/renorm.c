#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (uniform[i] < p)
            weights[i] = 0;
        sum += weights[i];
    }
    if (sum == 0)
        return;
    for (size_t i = 0; i < n; i++)
        weights[i] /= sum;
}
