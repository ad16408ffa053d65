#include <stddef.h>

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t z = 0; z < n * p; z++)
        c[z] = 0.0f;
    for (size_t ii = 0; ii < n; ii += block) {
        for (size_t kk = 0; kk < m; kk += block) {
            for (size_t jj = 0; jj < p; jj += block) {
                size_t iend = least(ii + block, n), kend = least(kk + block, n);
                size_t jend = least(jj + block, p);
                for (size_t i = ii; i < iend; i++) {
                    for (size_t k = kk; k < kend; k++) {
                        float aik = a[i * m + k];
                        const float *brow = b + k * p;
                        float *crow = c + i * p;
                        for (size_t j = jj; j < jend; j++)
                            crow[j] += aik * brow[j];
                    }
                }
            }
        }
    }
}
