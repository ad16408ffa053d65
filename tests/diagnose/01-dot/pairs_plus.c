#include <stddef.h>

static float pair(float left, float right)
{
    return left + right;
}

float dot(size_t n, const float *a, const float *b)
{
    float result = 0.0f;
    for (size_t index = 0; index < n; index++)
        result += pair(a[index], b[index]);
    return result;
}
