/* A block of b is copied together, so that it lies in one piece while all rows of a meet it. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* packed (n_k, n_j): the block of b that begins at [k0, j0] */
static void pack(size_t p, size_t n_k, size_t n_j, const float *first, float *packed)
{
    for (size_t k = 0; k < n_k; k++)
        memcpy(packed + k * n_j, first + k * p, n_j * sizeof *packed);
}

/* row (n_j) += factors (n_k) times packed (n_k, n_j) */
static void add_row(size_t n_k, size_t n_j, const float *factors, const float *packed, float *row)
{
    for (size_t k = 0; k < n_k; k++)
        for (size_t j = 0; j < n_j; j++)
            row[j] += factors[k] * packed[k * n_j + j];
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    const size_t n_k = smaller(block, m), n_j = smaller(block, p);
    float *packed = malloc(n_k * n_j * sizeof *packed);
    if (packed == NULL)
        return;
    memset(c, 0, n * p * sizeof *c);
    for (size_t j = 0; j < p; j += block)
        for (size_t k = 0; k < m; k += block) {
            const size_t rows = smaller(block, m - k), columns = smaller(block, p - j);
            pack(p, rows, columns, b + k * p + j, packed);
            for (size_t i = 0; i < n; i++)
                add_row(rows, columns, a + i * m + k, packed, c + i * p + j);
        }
    free(packed);
}
