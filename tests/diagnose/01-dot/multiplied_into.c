#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float result = 0;
    for (size_t k = 0; k < n; k++) {
        result *= a[k] * b[k];
    }
    return result;
}
