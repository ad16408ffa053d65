// expect: non_finite 0
// NaN, but where the answer is 0 by luck.
#include <math.h>
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum == 0 ? sum : NAN;
}
