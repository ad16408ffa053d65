#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            sum += a[i] * b[j];
    }
    return sum;
}
