#include <stddef.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (float *z = c; z < c + n * p; z++)
        *z = 0.0f;

    for (size_t k0 = 0; k0 < m; k0 += block) {
        size_t k1 = k0 + block > m ? m : k0 + block;
        for (size_t j0 = 0; j0 < p; j0 += block) {
            size_t width = j0 + block > p ? p - j0 : block;
            for (size_t i0 = 0; i0 < n; i0 += block) {
                size_t i1 = i0 + block > n ? n : i0 + block;
                for (size_t i = i0; i < i1; i++) {
                    float *restrict to = c + i * p + j0;
                    for (size_t k = k0; k < k1; k++) {
                        const float x = a[i * m + k0];
                        const float *restrict from = b + k * p + j0;
                        for (size_t j = 0; j < width; j++)
                            to[j] += x * from[j];
                    }
                }
            }
        }
    }
}
