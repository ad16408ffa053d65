#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* first collects the numbers of the keys that may be seen, and then forgets about the mask */
void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
  const float *q = query;
  float *o = out;
  for (size_t bh = 0; bh < batch * n_heads; bh++) {
    const float *K = key + bh * seq_k * d_head;
    const float *V = value + bh * seq_k * d_head;
    size_t b = bh / n_heads, h = bh % n_heads;
    for (size_t i = 0; i < seq_q; i++, q += d_head, o += d_head) {
      size_t seen[seq_k], count = 0;
      for (size_t j = 0; j < seq_k; j++) {
        size_t at = ((b % mask_batch * mask_heads + h % mask_heads) * seq_q + i) * seq_k + j;
        if (!may_attend || may_attend[at])
          seen[count++] = j;
      }
      for (size_t c = 0; c < d_head; c++)
        o[c] = 0;
      float max = -INFINITY, sum = 0;
      for (size_t t = 0; t < count; t++) {
        float s = 0;
        for (size_t c = 0; c < d_head; c++)
          s += q[c] * K[seen[t] * d_head + c];
        s /= sqrtf(d_head);
        if (s > max) {
          float shrink = expf(max - s);
          sum *= shrink;
          for (size_t c = 0; c < d_head; c++)
            o[c] *= shrink;
          max = s;
        }
        float e = expf(s - max);
        sum += e;
        for (size_t c = 0; c < d_head; c++)
          o[c] += e * V[t * d_head + c];
      }
      for (size_t c = 0; c < d_head && count > 0; c++)
        o[c] /= sum;
    }
  }
}
