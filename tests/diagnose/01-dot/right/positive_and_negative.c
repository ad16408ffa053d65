#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    double up = 0, down = 0;
    for (int i = (int)n; i --> 0;) {
        double p = (double)a[i] * b[i];
        *(p > 0 ? &up : &down) += p;
    }
    return up + down;
}
