#include <stddef.h>
#include <stdlib.h>

void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    size_t most_k = block < m ? block : m;
    size_t most_j = block < p ? block : p;
    float *tile = malloc(most_k * most_j * sizeof(float));
    if (tile == NULL)
        return;

    for (size_t i = 0; i < n * p; i++)
        c[i] = 0.0f;

    for (size_t k0 = 0; k0 < m; k0 += block) {
        size_t kw = m - k0 < block ? m - k0 : block;
        for (size_t j0 = 0; j0 < p; j0 += block) {
            size_t jw = p - j0 < block ? p - j0 : block;

            /* bring the block of b near */
            for (size_t k = 0; k < kw; k++)
                for (size_t j = 0; j < jw; j++)
                    tile[j * kw + k] = b[(k0 + k) * p + (j0 + j)];

            for (size_t i0 = 0; i0 < n; i0 += block) {
                size_t i1 = n - i0 < block ? n : i0 + block;
                for (size_t i = i0; i < i1; i++)
                    for (size_t k = 0; k < kw; k++) {
                        float x = a[i * m + k0 + k];
                        float *restrict row = c + i * p + j0;
                        for (size_t j = 0; j < jw; j++)
                            row[j] += x * tile[k * jw + j];
                    }
            }
        }
    }
    free(tile);
}
