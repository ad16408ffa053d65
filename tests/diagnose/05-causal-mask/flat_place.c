#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    size_t place = 0;
    for (size_t i = 0; i < n_q; i++) {
        for (size_t col = 0; col < n_k; col++, place++) {
            if (place > i)
                scores[place] = -INFINITY;
        }
    }
}
