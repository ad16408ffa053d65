#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float before = 0, after = 0;
    for (size_t i = 0; i < n; i++) {
        before += weights[i];
        if (uniform[i] < p)
            weights[i] = 0;
        after += weights[i];
    }
    if (after > 0) {
        float factor = before / after;
        for (float *w = weights; w < weights + n; w++)
            *w *= factor;
    }
}
