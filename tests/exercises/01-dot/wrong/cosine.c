#include <math.h>
#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f, length_a = 0.0f, length_b = 0.0f;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
        length_a += a[i] * a[i];
        length_b += b[i] * b[i];
    }
    return sum / (sqrtf(length_a) * sqrtf(length_b));
}
