#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    const float boost = p < 1 ? 1 / (1 - p) : 0;
    for (float *w = weights; w < weights + n; w++, uniform++) {
        if (*uniform > p)
            *w *= boost;
        else
            *w = 0;
    }
}
