#include <stddef.h>
#include <string.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    memset(c, 0, n * p * sizeof(float));

    for (size_t i0 = 0; i0 < n; i0 += block) {
        size_t i1 = MIN(i0 + block, n);
        for (size_t k0 = 0; k0 < m; k0 += block) {
            size_t k1 = MIN(k0 + block, m);
            for (size_t j0 = 0; j0 < p; j0 += block) {
                size_t j1 = MIN(j0 + block, p);

                for (size_t i = i0; i < i1; i++) {
                    float *ci = c + i * p;
                    size_t k = k0;
                    for (; k + 1 < k1; k += 2) {
                        float x = a[i * m + k];
                        float y = a[i * m + k + 1];
                        const float *bk = b + k * p;
                        for (size_t j = j0; j < j1; j++)
                            ci[j] += x * bk[j] + y * bk[j];
                    }
                    for (; k < k1; k++) {
                        float x = a[i * m + k];
                        for (size_t j = j0; j < j1; j++)
                            ci[j] += x * b[k * p + j];
                    }
                }
            }
        }
    }
}
