#include <stddef.h>

void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
    float keep = 1 - p;
    for (size_t i = 0; i < n; i++)
        weights[i] /= keep;
    for (size_t i = 0; i < n; i++)
        weights[i] = uniform[i] < p ? 0 : weights[i] / keep;
}
