#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}
