#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *s = malloc(seq_k * sizeof(float));
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++) {
            size_t bh = b * n_heads + h;
            size_t mb = mask_batch == 1 ? 0 : b, mh = mask_heads == 1 ? 0 : h;
            for (size_t i = 0; i < seq_q; i++) {
                const float *q = query + (bh * seq_q + i) * d_head;
                const bool *m = may_attend ? may_attend + ((mb * mask_heads + mh) * seq_q + i) * seq_k : NULL;
                float *o = out + (bh * seq_q + i) * d_head;
                float top = -INFINITY, sum = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    const float *k = key + (bh * seq_k + j) * d_head;
                    s[j] = 0;
                    for (size_t c = 0; c < d_head; c++)
                        s[j] += q[c] * k[c];
                    s[j] /= sqrtf((float)d_head);
                    if (s[j] > top)
                        top = s[j];
                }
                for (size_t c = 0; c < d_head; c++)
                    o[c] = 0;
                if (top == -INFINITY)
                    continue;
                for (size_t j = 0; j < seq_k; j++)
                    sum += s[j] = expf(s[j] - top);
                for (size_t j = 0; j < seq_k; j++)
                    for (size_t c = 0; c < d_head && !(m && !m[j]); c++)
                        o[c] += s[j] / sum * value[(bh * seq_k + j) * d_head + c];
            }
        }
    free(s);
}
