#include <stddef.h>

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t t = 0; t < n * p; t++)
        c[t] = 0;
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t k0 = 0; k0 < m; k0 += block)
            for (size_t j0 = 0; j0 < p; j0 += block)
                for (size_t i = i0; i < smaller(i0 + block, n); i++)
                    for (size_t k = 0; k < smaller(k0 + block, m); k++) {
                        size_t j_end = smaller(j0 + block, p);
                        for (size_t j = j0; j < j_end; j++)
                            c[i * p + j] += a[i * m + k] * b[k * p + j];
                    }
}
