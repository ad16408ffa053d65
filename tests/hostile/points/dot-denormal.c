// expect: pass 10
// Off by less than the smallest normal float.
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum + 1e-40f;
}
