/* Two halves, each a dot product of its own. */
#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    if (n == 0)
        return 0.0f;
    if (n == 1)
        return *a * *b;
    size_t half = n / 2;
    return dot(half, a, b) + dot(n - half, a + half, b + half);
}
