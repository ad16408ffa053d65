#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    size_t longest = n > m ? n : m;
    if (p > longest)
        longest = p;
    const size_t bs = smaller(block, longest);
    float *ta = calloc(bs * bs, sizeof *ta), *tb = calloc(bs * bs, sizeof *tb);

    memset(c, 0, n * p * sizeof *c);
    for (size_t i0 = 0; i0 < n; i0 += bs) {
        size_t ni = smaller(bs, n - i0);
        for (size_t j0 = 0; j0 < p; j0 += bs) {
            size_t nj = smaller(bs, p - j0);
            for (size_t k0 = 0; k0 < m; k0 += bs) {
                size_t nk = smaller(bs, m - k0);
                for (size_t i = 0; i < ni; i++)
                    memcpy(ta + i * bs, a + (i0 + i) * m + k0, nk * sizeof *ta);
                for (size_t k = 0; k < nk; k++)
                    memcpy(tb + k * bs, b + (k0 + k) * p + j0, nj * sizeof *tb);
                for (size_t i = 0; i < ni; i++)
                    for (size_t k = 0; k < bs; k++)
                        for (size_t j = 0; j < nj; j++)
                            c[(i0 + i) * p + j0 + j] += ta[i * bs + k] * tb[k * bs + j];
            }
        }
    }
    free(ta);
    free(tb);
}
