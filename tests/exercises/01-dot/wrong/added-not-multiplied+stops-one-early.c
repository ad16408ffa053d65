#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t i = 1; i < n; i++)
        sum += a[i - 1] + b[i - 1];
    return sum;
}
