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
            size_t mb = mask_batch == 1 ? 0 : b, mh = mask_heads == 1 ? 0 : h;
            for (size_t i = 0; i < seq_q; i++) {
                const float *q = query + ((b * n_heads + h) * seq_q + i) * d_head;
                float *o = out + ((b * n_heads + h) * seq_q + i) * d_head;
                const bool *may = NULL;
                if (may_attend != NULL)
                    may = may_attend + ((mh * mask_batch + mb) * seq_q + i) * seq_k;
                float top = -INFINITY, total = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    const float *k = key + ((b * n_heads + h) * seq_k + j) * d_head;
                    if (may != NULL && !may[j]) {
                        w[j] = -INFINITY;
                        continue;
                    }
                    float s = 0;
                    for (size_t c = 0; c < d_head; c++)
                        s += q[c] * k[c];
                    w[j] = s / sqrtf((float)d_head);
                    top = fmaxf(top, w[j]);
                }
                for (size_t c = 0; c < d_head; c++)
                    o[c] = 0;
                if (top == -INFINITY)
                    continue;
                for (size_t j = 0; j < seq_k; j++)
                    total += w[j] = expf(w[j] - top);
                for (size_t j = 0; j < seq_k; j++) {
                    const float *v = value + ((b * n_heads + h) * seq_k + j) * d_head;
                    for (size_t c = 0; c < d_head; c++)
                        o[c] += w[j] / total * v[c];
                }
            }
        }
    free(w);
}
