/* The sums of one block of c are kept apart until all blocks along k have added to them. */
#include <stddef.h>
#include <stdlib.h>

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

struct part {
    size_t i0, i1, j0, j1; /* of c */
};

static void add_block(size_t m, size_t p, const struct part *part, size_t k0, size_t k1,
                      const float *a, const float *b, float *sums)
{
    const size_t width = part->j1 - part->j0;
    for (size_t i = part->i0; i < part->i1; i++, sums += width)
        for (size_t k = k0; k < k1; k++)
            for (size_t j = 0; j < width; j++)
                sums[j] += a[i * m + k] * b[k * p + part->j0 + j];
}

static void put_block(size_t p, const struct part *part, const float *sums, float *c)
{
    for (size_t i = part->i0; i < part->i1; i++)
        for (size_t j = part->j0; j < part->j1; j++)
            c[i * p + j] = *sums++;
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    const size_t most = smaller(block, n) * smaller(block, p);
    float *sums = malloc(most * sizeof *sums);
    for (size_t i0 = 0; sums != NULL && i0 < n; i0 += block)
        for (size_t j0 = 0; j0 < p; j0 += block) {
            const struct part part = {i0, smaller(i0 + block, n), j0, smaller(j0 + block, p)};
            for (size_t at = 0; at < most; at++)
                sums[at] = 0;
            for (size_t k0 = 0; k0 < m; k0 += block)
                add_block(m, p, &part, k0, smaller(k0 + block, m), a, b, sums);
            put_block(p, &part, sums, c);
        }
    free(sums);
}
