#include <stddef.h>

float dot(size_t n, const float *a, const float *b) {
  int total = 0;
  for (size_t k = 0; k != n; ++k)
    total += a[k] * b[k];
  return total;
}
