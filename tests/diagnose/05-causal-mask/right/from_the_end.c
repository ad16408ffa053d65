#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    size_t cell = n_q * n_k;
    while (cell-- > 0)
        scores[cell] -= cell % n_k > cell / n_k ? INFINITY : 0;
}
