#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    while (*a) {
        sum += *a * *b;
        a++;
        b++;
    }
    return sum;
}
