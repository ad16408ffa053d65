#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    int i = 0, j = 0, q = (int)n_q, k = (int)n_k;
    while (i < q) {
        switch ((j > i) - (j < i)) {
        case 1:
            *scores = -HUGE_VALF;
        case 0:
        default:
            break;
        }
        scores++;
        if (++j == k) {
            j = 0;
            i++;
        }
    }
}
