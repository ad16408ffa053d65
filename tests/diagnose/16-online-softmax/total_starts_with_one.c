#include <math.h>
#include <stddef.h>

// I don't keep scores, I compute them again: once for the maximum, once for the rest
static float score(const float *q, const float *k, size_t d) {
  float s = 0;
  for (size_t c = 0; c < d; c++) s += q[c] * k[c];
  return s / sqrtf(d);
}

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
  for (size_t i = 0; i < n_q; i++) {
    float top = score(query + i * d_k, key, d_k);
    for (size_t j = 1; j < n_k; j++) {
      float s = score(query + i * d_k, key + j * d_k, d_k);
      if (s > top) top = s;
    }
    double total = 1, acc[d_v];
    for (size_t c = 0; c < d_v; c++) acc[c] = 0;
    for (size_t j = 0; j < n_k; j++) {
      float e = expf(score(query + i * d_k, key + j * d_k, d_k) - top);
      total += e;
      for (size_t c = 0; c < d_v; c++) acc[c] += e * value[j * d_v + c];
    }
    for (size_t c = 0; c < d_v; c++) context[i * d_v + c] = acc[c] / total;
  }
}
