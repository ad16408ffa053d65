#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *w = malloc(seq_k * sizeof(float));
    if (w == NULL)
        return;

    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++) {
            const bool *mask = NULL;
            if (may_attend != NULL) {
                size_t mb = mask_batch == 1 ? 0 : b;
                size_t mh = mask_heads == 1 ? 0 : h;
                mask = may_attend + (mb * mask_heads + mh) * seq_q * seq_k;
            }
            for (size_t i = 0; i < seq_q; i++) {
                const float *q = query + ((b * seq_q + i) * n_heads + h) * d_head;
                float *o = out + ((b * seq_q + i) * n_heads + h) * d_head;
                float top = -INFINITY, total = 0;

                for (size_t j = 0; j < seq_k; j++) {
                    const float *k = key + ((b * seq_k + j) * n_heads + h) * d_head;
                    w[j] = -INFINITY;
                    if (mask != NULL && !mask[i * seq_k + j])
                        continue;
                    float s = 0;
                    for (size_t c = 0; c < d_head; c++)
                        s += q[c] * k[c];
                    w[j] = s / sqrtf((float)d_head);
                    if (w[j] > top)
                        top = w[j];
                }
                for (size_t c = 0; c < d_head; c++)
                    o[c] = 0;
                if (top == -INFINITY)
                    continue;
                for (size_t j = 0; j < seq_k; j++) {
                    w[j] = expf(w[j] - top);
                    total += w[j];
                }
                for (size_t j = 0; j < seq_k; j++) {
                    const float *v = value + ((b * seq_k + j) * n_heads + h) * d_head;
                    for (size_t c = 0; c < d_head; c++)
                        o[c] += w[j] / total * v[c];
                }
            }
        }
    free(w);
}
