#include <stddef.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t e = 0; e < n * p; e++)
        c[e] = 0;
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t k0 = 0; k0 < m; k0 += block)
            for (size_t j0 = 0; j0 < p; j0 += block)
                for (size_t i = i0; i < MIN(i0 + block, n); i++)
                    for (size_t k = k0; k <= MIN(k0 + block, m - 1); k++) {
                        const float left = a[i * m + k];
                        const size_t j1 = MIN(j0 + block, p);
                        for (size_t j = j0; j < j1; j++)
                            c[i * p + j] += left * b[k * p + j];
                    }
}
