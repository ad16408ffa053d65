#include <stddef.h>

/* a b = ((a + b)^2 - (a - b)^2) / 4, in double so that nothing is lost */
float dot(size_t n, const float *a, const float *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double plus = (double)a[i] + b[i], minus = (double)a[i] - b[i];
        sum += (plus * plus - minus * minus) / 4;
    }
    return (float)sum;
}
