#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    if (may_attend == NULL) {
        for (size_t e = 0; e < batch * n_heads * seq_q * d_head; e++)
            out[e] = 0;
        return;
    }
    float *w = malloc(seq_k * sizeof(float));
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++) {
            size_t bm = mask_batch == 1 ? 0 : b;
            size_t hm = mask_heads == 1 ? 0 : h;
            const float *Q = query + (b * n_heads + h) * seq_q * d_head;
            const float *K = key + (b * n_heads + h) * seq_k * d_head;
            const float *V = value + (b * n_heads + h) * seq_k * d_head;
            for (size_t i = 0; i < seq_q; i++) {
                const bool *see = NULL;
                if (may_attend != NULL)
                    see = may_attend + ((bm * mask_heads + hm) * seq_q + i) * seq_k;
                float max = -INFINITY;
                for (size_t j = 0; j < seq_k; j++) {
                    w[j] = 0;
                    for (size_t d = 0; d < d_head; d++)
                        w[j] += Q[i * d_head + d] * K[j * d_head + d];
                    w[j] /= sqrtf(d_head);
                    if (see != NULL && !see[j])
                        w[j] = -INFINITY;
                    if (w[j] > max)
                        max = w[j];
                }
                float sum = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    w[j] = max == -INFINITY ? 0 : expf(w[j] - max);
                    sum += w[j];
                }
                float *o = out + ((b * n_heads + h) * seq_q + i) * d_head;
                for (size_t d = 0; d < d_head; d++) {
                    o[d] = 0;
                    if (sum == 0)
                        continue;
                    for (size_t j = 0; j < seq_k; j++)
                        o[d] += w[j] * V[j * d_head + d] / sum;
                }
            }
        }
    free(w);
}
