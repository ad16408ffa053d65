#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float *p = (float *)a;
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        p[i] *= b[i];
    for (size_t i = 0; i < n; i++)
        sum += p[i];
    return sum;
}
