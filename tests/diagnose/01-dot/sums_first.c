#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum_a = 0.0f;
    float sum_b = 0.0f;

    for (size_t i = 0; i < n; i++) {
        sum_a += a[i];
        sum_b += b[i];
    }
    return sum_a * sum_b;
}
