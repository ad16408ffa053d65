#include <stddef.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t k0 = 0; k0 < m; k0 += block)
        for (size_t i = 0; i < n; i++) {
            float *row = c + i * p;
            for (size_t j = 0; j < p; j++)
                row[j] = 0;
            for (size_t k = k0; k < MIN(k0 + block, m); k++) {
                float f = a[i * m + k];
                for (size_t j = 0; j < p; j++)
                    row[j] += f * b[k * p + j];
            }
        }
}
