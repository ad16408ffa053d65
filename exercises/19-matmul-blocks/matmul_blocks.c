#include <stddef.h>

/* c = a b, worked off in blocks of `block` rows and columns.
 *
 *   a (n, m)   b (m, p)   c (n, p)   out */
void matmul_blocks(size_t n, size_t m, size_t p, size_t block, const float *a, const float *b,
                   float *c)
{
    /* TODO: three loops over blocks, three within a block */
    (void)n;
    (void)m;
    (void)p;
    (void)block;
    (void)a;
    (void)b;
    (void)c;
}
