#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float scale = 1.0f / sqrtf((float)d_head);
    float *s = malloc(seq_k * sizeof *s);
    if (!s) return;

    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_heads; h++) {
            size_t bh = b * n_heads + h;
            size_t mbh = (mask_batch > 1 ? b : 0) * mask_heads + (mask_heads > 1 ? h : 0);
            for (size_t i = 0; i < seq_q; i++) {
                float m = -INFINITY, z = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    s[j] = 0;
                    for (size_t d = 0; d < d_head; d++)
                        s[j] += query[(bh * seq_q + i) * d_head + d] * key[(bh * seq_k + j) * d_head + d];
                    s[j] *= scale;
                    if (may_attend)
                        s[j] += may_attend[(mbh * seq_q + i) * seq_k + j];
                    m = fmaxf(m, s[j]);
                }
                for (size_t j = 0; j < seq_k; j++) {
                    s[j] = expf(s[j] - m);
                    z += s[j];
                }
                for (size_t d = 0; d < d_head; d++) {
                    float acc = 0;
                    for (size_t j = 0; j < seq_k; j++)
                        acc += s[j] * value[(bh * seq_k + j) * d_head + d];
                    out[(bh * seq_q + i) * d_head + d] = z > 0 ? acc / z : 0;
                }
            }
        }
    }
    free(s);
}
