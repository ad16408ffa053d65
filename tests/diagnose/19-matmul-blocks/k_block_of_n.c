#include <stddef.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t i = 0; i < n * p; i++)
        c[i] = 0;
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t k0 = 0; k0 < m; k0 += block)
            for (size_t j0 = 0; j0 < p; j0 += block)
                for (size_t i = i0; i < least(i0 + block, n); i++)
                    for (size_t k = k0; k < least(k0 + block, least(n, m)); k++) {
                        float f = a[i * m + k];
                        for (size_t j = j0; j < least(j0 + block, p); j++)
                            c[i * p + j] += f * b[k * p + j];
                    }
}

