#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    int result = 0;
    for (size_t i = 0; i != n; ++i) {
        float product = a[i] * b[i];
        result = result + product;
    }
    return result;
}
