#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    double acc = 0.0;
    size_t k = 0;
    while (k < n - 1) {
        acc += (double)a[k] * b[k];
        k++;
    }
    return (float)acc;
}
