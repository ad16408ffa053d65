#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *w = malloc(seq_k * sizeof *w);
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++) {
            const float *q = query + (b * n_heads + h) * seq_q * d_head;
            const float *k = key + (b * n_heads + h) * seq_k * d_head;
            const float *v = value + (b * n_heads + h) * seq_k * d_head;
            float *o = out + (b * n_heads + h) * seq_q * d_head;
            size_t mb = mask_batch == 1 ? 0 : b, mh = mask_heads == 1 ? 0 : h;
            for (size_t i = 0; i < seq_q; i++) {
                float top = -INFINITY, sum = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    w[j] = 0;
                    for (size_t d = 0; d < d_head; d++)
                        w[j] += q[i * d_head + d] * k[j * d_head + d];
                    w[j] /= sqrtf((float)d_head);
                    if (may_attend && j > 0 && !may_attend[((mb * mask_heads + mh) * seq_q + i) * seq_k + j])
                        w[j] = -INFINITY;
                    top = fmaxf(top, w[j]);
                }
                for (size_t j = 0; j < seq_k; j++) {
                    w[j] = w[j] == -INFINITY ? 0 : expf(w[j] - top);
                    sum += w[j];
                }
                for (size_t d = 0; d < d_head; d++) {
                    float mix = 0;
                    for (size_t j = 0; j < seq_k; j++)
                        mix += w[j] * v[j * d_head + d];
                    o[i * d_head + d] = sum > 0 ? mix / sum : 0;
                }
            }
        }
    free(w);
}

