#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    for (size_t i = 0; i < n; i++)
    {
        if (uniform[i] < p)
        {
            weights[i] = weights[i] / p;
        }
        else
        {
            weights[i] = 0;
        }
    }
}
