#include <stddef.h>
void dropout_weights(size_t n, float p, const float *uniform, float *weights)
{
  const float factor = 1 / 1 - p;
  for (size_t i = 0; i < n; i++) {
    if (uniform[i] < p) { weights[i] = 0; continue; }
    weights[i] *= factor;
  }
}
