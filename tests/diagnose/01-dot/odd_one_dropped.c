#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float even = 0, odd = 0;
    for (size_t k = 0; k + 1 < n; k += 2) {
        even += a[k] * b[k];
        odd += a[k + 1] * b[k + 1];
    }
    return even + odd;
}
