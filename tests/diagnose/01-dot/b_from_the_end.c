#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    const float *pa = a;
    const float *pb = b + n;
    float sum = 0;
    while (pa < a + n)
        sum += *pa++ * *--pb;
    return sum;
}
