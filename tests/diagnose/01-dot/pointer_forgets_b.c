#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    const float *end = a + n;
    for (; a != end; a++)
        sum += *a * *b;
    return sum;
}
