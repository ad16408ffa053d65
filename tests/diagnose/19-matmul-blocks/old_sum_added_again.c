#include <stddef.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (float *z = c; z < c + n * p; z++)
        *z = 0.0f;

    for (size_t kk = 0; kk < m; kk += block) {
        size_t k_end = kk + block > m ? m : kk + block;
        for (size_t ii = 0; ii < n; ii += block) {
            size_t i_end = ii + block > n ? n : ii + block;
            for (size_t jj = 0; jj < p; jj += block) {
                size_t j_end = jj + block > p ? p : jj + block;
                for (size_t i = ii; i < i_end; i++)
                    for (size_t j = jj; j < j_end; j++) {
                        float sum = c[i * p + j];
                        for (size_t k = kk; k < k_end; k++)
                            sum += a[i * m + k] * b[k * p + j];
                        c[i * p + j] += sum;
                    }
            }
        }
    }
}
