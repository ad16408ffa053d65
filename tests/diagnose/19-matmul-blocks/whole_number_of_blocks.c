#include <stddef.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b, float *c)
{
    const size_t count = m / block;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float sum = 0;
            for (size_t t = 0; t < count; t++)
                for (size_t k = t * block; k < (t + 1) * block; k++)
                    sum += a[i * m + k] * b[k * p + j];
            c[i * p + j] = sum;
        }
}
