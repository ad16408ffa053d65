#include <stddef.h>
#include <stdlib.h>

float dot(size_t n, const float *a, const float *b)
{
    float *products = malloc(n * sizeof(float));
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        products[i] = a[i] * b[i];
    for (size_t i = 0; i < n; i++)
        sum += products[i];
    return sum;
}
