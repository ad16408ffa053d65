#include <stddef.h>

/* blocks from the last to the first, sums in double */
void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b, float *c)
{
    double sums[4096];
    for (size_t i = n; i-- > 0;)
        for (size_t j0 = 0; j0 < p; j0 += 4096) {
            size_t width = p - j0 < 4096 ? p - j0 : 4096;
            for (size_t j = 0; j < width; j++)
                sums[j] = 0;
            for (size_t kb = (m + block - 1) / block; kb-- > 0;)
                for (size_t k = kb * block; k < m && k < (kb + 1) * block; k++) {
                    double f = a[i * m + k];
                    const float *row = b + k * p + j0;
                    for (size_t j = 0; j < width; j++)
                        sums[j] += f * row[j];
                }
            for (size_t j = 0; j < width; j++)
                c[i * p + j0 + j] = (float)sums[j];
        }
}
