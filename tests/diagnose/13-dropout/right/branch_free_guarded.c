#include <stddef.h>
#include <stdbool.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float factor[2] = {0.0f, p < 1.0f ? 1.0f / (1.0f - p) : 0.0f};
    for (size_t i = 0; i < n; i++) {
        bool keep = uniform[i] >= p;
        weights[i] *= factor[keep];
    }
}
