#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float factors[2] = {0.0f, p < 1 ? 1.0f / (1.0f - p) : 0.0f};
    for (const float *u = uniform; u < uniform + n; ++u, ++weights) {
        int keep = !(*u < p);
        if (keep)
            *weights *= factors[1];
        else
            *weights = factors[0];
    }
}
