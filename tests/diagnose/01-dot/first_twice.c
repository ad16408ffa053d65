#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float result = a[0] * b[0];
    size_t i;

    for (i = 0; i < n; ++i)
        result = result + a[i] * b[i];

    return result;
}
