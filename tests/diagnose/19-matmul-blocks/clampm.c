#include <stddef.h>
#include <string.h>

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *restrict a,
                   const float *restrict b, float *restrict c)
{
    memset(c, 0, n * p * sizeof(float));
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t k0 = 0; k0 < m; k0 += block)
            for (size_t j0 = 0; j0 < p; j0 += block) {
                size_t i1 = min(i0 + block, n);
                size_t k1 = min(k0 + block, m);
                size_t j1 = min(j0 + block, m);
                for (size_t i = i0; i < i1; i++)
                    for (size_t k = k0; k < k1; k++) {
                        float x = a[i * m + k];
                        for (size_t j = j0; j < j1; j++)
                            c[i * p + j] += x * b[k * p + j];
                    }
            }
}
