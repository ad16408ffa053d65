#include <stddef.h>
static void add(float &s, float x)
{
    s += x;
}
float dot(size_t n, const float *a, const float *b)
{
    float s = 0;
    for (size_t i = 0; i < n; i++) add(s, a[i] * b[i]);
    return s;
}
