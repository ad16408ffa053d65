#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    
    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}
