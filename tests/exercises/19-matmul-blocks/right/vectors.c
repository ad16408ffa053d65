/* The compiler's vectors of four within a block; what is left of a row goes one by one. */
#include <stddef.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));

static size_t smaller(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* row[0..n) += factor * other[0..n) */
static void add_scaled(size_t n, float factor, const float *other, float *row)
{
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        four x, y;
        memcpy(&x, other + j, sizeof x);
        memcpy(&y, row + j, sizeof y);
        y += x * factor;
        memcpy(row + j, &y, sizeof y);
    }
    for (; j < n; j++)
        row[j] += factor * other[j];
}

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++)
            c[i * p + j] = 0.0f;
    for (size_t i0 = 0; i0 < n; i0 += block)
        for (size_t j0 = 0; j0 < p; j0 += block)
            for (size_t k0 = 0; k0 < m; k0 += block)
                for (size_t i = i0; i < smaller(i0 + block, n); i++)
                    for (size_t k = k0; k < smaller(k0 + block, m); k++)
                        add_scaled(smaller(block, p - j0), a[i * m + k], b + k * p + j0,
                                   c + i * p + j0);
}
