#include <math.h>
#include <stddef.h>
#include <string.h>

typedef float v8 __attribute__((vector_size(32)));

static inline v8 load(const float *p)
{
  v8 v;
  memcpy(&v, p, sizeof v); /* p may lie anywhere */
  return v;
}

static inline float dot(const float *a, const float *b, size_t d)
{
  v8 x = {0}, y = {0};
  size_t c = 0;
  for (; c + 16 <= d; c += 16) {
    x += load(a + c) * load(b + c);
    y += load(a + c + 8) * load(b + c + 8);
  }
  x += y;
  float s = (x[0] + x[1]) + (x[2] + x[3]) + (x[4] + x[5]) + (x[6] + x[7]);
  for (; c < d; c++)
    s += a[c] * b[c];
  return s;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
  float w[n];
  float root = sqrtf(d);
  for (size_t i = 0; i < n; i++) {
    const float *q = &query[i * d];
    float *o = &context[i * d];
    float top = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++) {
      w[j] = dot(q, &key[j * d], d) / root;
      top = fmaxf(top, w[j]);
    }
    for (size_t j = 0; j < n; j++)
      sum += w[j] = expf(w[j] - top);
    memset(o, 0, d * sizeof(float));
    size_t j = 0;
    for (; j + 4 <= n; j += 4) { /* four keys at a time */
      const float *restrict v = &value[j * d];
      float a0 = w[j] / sum, a1 = w[j + 1] / sum, a2 = w[j + 2] / sum, a3 = w[j + 3] / sum;
      for (size_t c = 0; c < d; c++)
        o[c] += a0 * v[c] + a1 * v[d + c] + a2 * v[2 * d + c] + a3 * v[3 * d + c];
    }
  }
}
