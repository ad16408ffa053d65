#include <stddef.h>
#include <string.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    memset(c, 0, n * p * sizeof(float));
    for (size_t i0 = 0; i0 < n; i0 += block) {
        size_t i1 = MIN(i0 + block, n);
        for (size_t j0 = 0; j0 < p; j0 += block) {
            size_t j1 = MIN(j0 + block, p);
            for (size_t k0 = 0; k0 < m; k0 += block) {
                size_t k1 = MIN(k0 + block, m);
                for (size_t i = i0; i < i1; i++)
                    for (size_t j = j0; j < j1; j++) {
                        float s[4] = {0, 0, 0, 0};
                        size_t k = k0;
                        for (; k + 4 <= k1; k += 4)
                            for (size_t l = 0; l < 4; l++)
                                s[l] += a[i * m + k + l] * b[j * m + k + l];
                        for (; k < k1; k++)
                            s[0] += a[i * m + k] * b[j * m + k];
                        c[i * p + j] += s[0] + s[1] + s[2] + s[3];
                    }
            }
        }
    }
}
