#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (uniform[i] < p)
            weights[i] = 0;
        else
            kept++;
    }
    if (kept == 0)
        return;
    float factor = (float)n / (float)kept;
    for (size_t i = 0; i < n; i++)
        weights[i] *= factor;
}
