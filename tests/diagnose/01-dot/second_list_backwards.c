#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    const float *from_end = b + n;
    float sum = 0.0f;

    while (n-- > 0)
        sum += *a++ * *--from_end;
    return sum;
}
