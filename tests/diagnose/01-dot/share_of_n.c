#include <stddef.h>

static float weighted(float x, float y, size_t n)
{
    return x * y / (float)n;
}

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weighted(a[i], b[i], n);
    return sum;
}
