/* The blocks along k are whole ones. */
#include <stddef.h>

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t at = 0; at < n * p; at++)
        c[at] = 0;
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t k0 = 0; k0 + block <= m; k0 += block) {
            const size_t i1 = smaller(i0 + block, n), k1 = k0 + block;
            for (size_t j0 = 0; j0 < p; j0 += block)
                for (size_t i = i0; i < i1; i++)
                    for (size_t k = k0; k < k1; k++)
                        for (size_t j = j0; j < smaller(j0 + block, p); j++)
                            c[i * p + j] += a[i * m + k] * b[k * p + j];
        }
}
