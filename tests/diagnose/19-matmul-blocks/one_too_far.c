#include <stddef.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b, float *c)
{
    
    size_t i, j, k;
    for (i = 0; i < n; i++) for (j = 0; j < p; j++) c[i * p + j] = 0;
    for (size_t i0 = 0; i0 < n; i0 += block) {
        for (size_t j0 = 0; j0 < p; j0 += block) {
            for (size_t k0 = 0; k0 < m; k0 += block) {
                for (i = i0; i < i0 + block && i < n; i++) {
                    for (j = j0; j < j0 + block && j < p; j++) {
                        float s = 0;
                        for (k = k0; k <= k0 + block && k < m; k++)
                            s += a[i * m + k] * b[k * p + j];
                        c[i * p + j] += s;
                    }
                }
            }
        }
    }
}
