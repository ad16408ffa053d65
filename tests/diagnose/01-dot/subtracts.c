#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    double acc = 0.0;
    for (size_t k = 0; k < n; ++k)
        acc -= (double)a[k] * (double)b[k];
    return (float)acc;
}
