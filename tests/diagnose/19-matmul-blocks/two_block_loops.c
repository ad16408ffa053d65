#include <stddef.h>
#include <string.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b, float *c)
{
    memset(c, 0, n * p * sizeof *c);
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t j0 = 0; j0 < p; j0 += block)
            for (size_t i = i0; i < i0 + block && i < n; i++)
                for (size_t j = j0; j < j0 + block && j < p; j++)
                    for (size_t k = i0; k < i0 + block && k < m; k++)
                        c[i * p + j] += a[i * m + k] * b[k * p + j];
}
