#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float total = 0.0f;
    const float *p = a, *q = a; /* one for each vector */
    for (size_t i = 0; i < n; i++)
        total += p[i] * q[i];
    return total;
}
