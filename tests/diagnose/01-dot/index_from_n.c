#include <math.h>
#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float s = 0;
    for (size_t i = n; i > 0; i--)
        s += a[i] * b[i];
    return s;
}
