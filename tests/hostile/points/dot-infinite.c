// expect: non_finite 0
// An infinity, larger than any tolerance.
#include <math.h>
#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    (void)n, (void)a, (void)b;
    return -INFINITY;
}
