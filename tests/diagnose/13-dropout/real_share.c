#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (uniform[i] >= p)
            kept++;
        else
            weights[i] = 0.0f;
    }
    if (kept == 0)
        return;

    float share = (float)kept / (float)n;
    for (size_t i = 0; i < n; i++)
        weights[i] /= share;
}
