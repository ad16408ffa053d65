/* Walks two pointers; fused multiply and add. */
#include <math.h>
#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0.0f;
    for (const float *end = a + n; a != end; a++, b++)
        sum = fmaf(*a, *b, sum);
    return sum;
}
