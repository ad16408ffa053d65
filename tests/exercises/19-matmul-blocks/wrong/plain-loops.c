/* Right, and with a sum in the innermost loop that runs down a column of b, the blocks left out. */
#include <stddef.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    (void)block;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float sum = 0;
            for (size_t k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * p + j];
            c[i * p + j] = sum;
        }
}
