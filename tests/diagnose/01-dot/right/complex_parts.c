#include <complex.h>
#include <stddef.h>

/* The real part of (a + 0i)(b + 0i), summed from both ends. */
float dot(size_t n, const float *a, const float *b)
{
    double complex left = 0, right = 0;
    size_t i = 0, j = n;
    while (i < j) {
        left += (double complex)a[i] * b[i];
        i++;
        if (i >= j)
            break;
        j--;
        right += (double complex)a[j] * b[j];
    }
    return (float)creal(left + right);
}
