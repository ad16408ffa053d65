#include <math.h>
#include <stddef.h>

/* sqrt(d) = hypot of d ones */
void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    double root = 0;
    for (size_t d = 0; d < d_k; d++)
        root = hypot(root, 1.0);
    for (float *s = scores; s != scores + n_q * n_k; ++s)
        *s = (float)(*s / root);
}
