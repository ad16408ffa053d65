#include <math.h>
#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; ++i) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return ab / (sqrtf(aa) * sqrtf(bb));
}
