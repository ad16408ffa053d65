#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    volatile float s = 0, e = 0;
    while (n) {
        --n;
        float y = a[n] * b[n] - e, t = s + y;
        e = t - s - y;
        s = t;
    }
    return s;
}
