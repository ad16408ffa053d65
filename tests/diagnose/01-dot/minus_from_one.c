#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float r = 0.f;
    size_t i = 0;
    while (++i < n)
        r -= a[i] * b[i];
    return r;
}
