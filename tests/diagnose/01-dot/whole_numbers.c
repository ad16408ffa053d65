#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    int result = 0;
    for (int i = 0; i < n; i++)
        result += a[i] * b[i];
    return result;
}
