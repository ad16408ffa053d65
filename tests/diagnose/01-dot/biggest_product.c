#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float best = a[0] * b[0];
    for (size_t i = 1; i < n; i++)
        if (a[i] * b[i] > best)
            best = a[i] * b[i];
    return best;
}
