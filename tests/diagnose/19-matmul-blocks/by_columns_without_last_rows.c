#include <stddef.h>

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t i = 0; i < n * p; i++)
        c[i] = 0;
    for (size_t ii = 0; ii < n; ii += block)
        for (size_t kk = 0; kk < m; kk += block)
            for (size_t jj = 0; jj < p; jj += block)
                for (size_t i = ii; i < min(ii + block, n) - 1; i++)
                    for (size_t k = kk; k < min(kk + block, m); k++) {
                        float x = a[i * m + k];
                        size_t end = min(jj + block, p);
                        for (size_t j = jj; j < end; j++)
                            c[i * p + j] += x * b[j * m + k];
                    }
}
