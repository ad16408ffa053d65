#include <stddef.h>

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t e = 0; e < n * p; e++)
        c[e] = 0;

    for (size_t ib = 0; ib < n; ib += block)
        for (size_t kb = 0; kb < m; kb += block)
            for (size_t jb = 0; jb < p; jb += block) {
                size_t i_end = min(ib + block, n);
                size_t k_end = min(kb + block, m);
                size_t j_end = min(jb + block, p);
                for (size_t i = ib; i < i_end; i++) {
                    float aik = a[i * m + kb];
                    for (size_t k = kb; k < k_end; k++)
                        for (size_t j = jb; j < j_end; j++)
                            c[i * p + j] += aik * b[k * p + j];
                }
            }
}
