/* From the end, summed in double. */
#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    double sum = 0.0;
    while (n-- > 0)
        sum += (double)a[n] * b[n];
    return (float)sum;
}
