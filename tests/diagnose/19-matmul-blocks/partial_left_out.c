#include <stddef.h>
#include <string.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    memset(c, 0, n * p * sizeof *c);
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t k0 = 0; k0 + block <= m; k0 += block)
            for (size_t j0 = 0; j0 < p; j0 += block) {
                size_t i1 = i0 + block < n ? i0 + block : n;
                size_t k1 = k0 + block < m ? k0 + block : m;
                size_t j1 = j0 + block < p ? j0 + block : p;
                for (size_t i = i0; i < i1; i++)
                    for (size_t k = k0; k < k1; k++) {
                        const float f = a[i * m + k];
                        for (size_t j = j0; j < j1; j++)
                            c[i * p + j] += f * b[k * p + j];
                    }
            }
}
