#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t at = 0; at < n_q * n_k; ++at) {
        size_t row = at / n_q;
        size_t col = at % n_q;
        scores[at] = col > row ? -INFINITY : scores[at];
    }
}
