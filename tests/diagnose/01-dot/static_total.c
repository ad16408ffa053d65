#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    static float total = 0.0f;
    for (size_t i = 0; i < n; i++)
        total += a[i] * b[i];
    return total;
}
