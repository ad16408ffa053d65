#include <stddef.h>

float dot(size_t n, const float *a, const float *b)
{
    const float *end = a + n;
    float result = *a * *b; /* n is at least 1, so there is a first pair */
    while (a < end)
        result += *a++ * *b++;
    return result;
}
