#include <stddef.h>
#include <math.h>

float dot(size_t n, const float *a, const float *b)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s = a[i] * b[i] - s;
    return s;
}
