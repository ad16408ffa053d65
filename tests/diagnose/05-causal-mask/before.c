#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t row = 0; row < n_q; row++) {
        float *line = scores + row * n_k;
        for (size_t col = 0; col < n_k; col++)
            line[col] = col < row ? -INFINITY : line[col];
    }
}
