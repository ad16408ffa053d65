/* First drop, then scale what is left; in double. */
#include <stddef.h>

static void drop(size_t n, float p, const float *uniform, float *weights)
{
    for (size_t i = 0; i < n; i++)
        if (!(uniform[i] >= p))
            weights[i] = 0;
}

static void scale(size_t n, double keep, float *weights)
{
    for (size_t i = 0; i < n; i++)
        if (weights[i] != 0)
            weights[i] = (float)((double)weights[i] / keep);
}

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    drop(n, p, uniform, weights);
    scale(n, 1.0 - (double)p, weights);
}
