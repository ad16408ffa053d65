#include <stddef.h>
// the first one, then the rest
void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    if (n == 0)
        return;
    *weights = *uniform < p ? 0 : *weights / (1 - p);
    dropout_weights(n - 1, p, uniform + 1, weights + 1);
}
