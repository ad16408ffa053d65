#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t i = n - 1; i >= 0; i--)
        sum += a[i] * b[i];
    return sum;
}
