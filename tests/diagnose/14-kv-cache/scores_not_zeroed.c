#include <math.h>
#include <stddef.h>

void attend_next(size_t n_past, size_t d_k, size_t d_v, const float *query, const float *new_key,
                 const float *new_value, float *key_cache, float *value_cache, float *context)
{
  float (*keys)[d_k] = (float (*)[d_k])key_cache;
  float (*values)[d_v] = (float (*)[d_v])value_cache;
  double p[n_past + 1];
  double total = 0, top;

  /* 1. remember the new token */
  for (int c = 0; c < (int)d_k; c++) keys[n_past][c] = new_key[c];
  for (int c = 0; c < (int)d_v; c++) values[n_past][c] = new_value[c];

  /* 2. scores */
  for (int j = 0; j <= (int)n_past; j++) {
    if (j == 0) p[j] = 0; else p[j] = p[j - 1];
    for (int c = 0; c < (int)d_k; c++)
      p[j] += (double)query[c] * keys[j][c];
    p[j] *= 1.0 / sqrt(d_k);
  }

  /* 3. softmax */
  top = p[0];
  for (int j = 1; j <= (int)n_past; j++)
    if (top < p[j]) top = p[j];
  for (int j = 0; j <= (int)n_past; j++) {
    p[j] = exp(p[j] - top);
    total += p[j];
  }
  for (int j = 0; j <= (int)n_past; j++)
    p[j] /= total;

  /* 4. mix */
  for (int c = 0; c < (int)d_v; c++) {
    double mixed = 0;
    for (int j = 0; j <= (int)n_past; j++)
      mixed += p[j] * values[j][c];
    context[c] = mixed;
  }
}
