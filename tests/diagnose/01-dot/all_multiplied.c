#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float result = 1.0f;
    for (size_t i = 0; i < n; i++)
        result *= a[i] * b[i];
    return result;
}
