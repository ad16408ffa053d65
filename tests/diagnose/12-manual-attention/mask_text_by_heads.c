#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    size_t b, h, i, j, c;
    for (b = 0; b < batch; b++)
        for (h = 0; h < n_heads; h++)
            for (i = 0; i < seq_q; i++) {
                double total = 0, top = -INFINITY;
                double w[seq_k];
                for (j = 0; j < seq_k; j++) {
                    bool ok = true;
                    if (may_attend) {
                        size_t mb = mask_batch > 1 ? b : 0;
                        size_t mh = mask_heads > 1 ? h : 0;
                        ok = may_attend[mb * n_heads * seq_q * seq_k + mh * seq_q * seq_k + i * seq_k + j];
                    }
                    w[j] = -INFINITY;
                    if (ok) {
                        w[j] = 0;
                        for (c = 0; c < d_head; c++)
                            w[j] += query[b * n_heads * seq_q * d_head + h * seq_q * d_head + i * d_head + c] *
                                    key[b * n_heads * seq_k * d_head + h * seq_k * d_head + j * d_head + c];
                        w[j] /= sqrt(d_head);
                    }
                    if (w[j] > top)
                        top = w[j];
                }
                for (j = 0; j < seq_k; j++)
                    total += isinf(w[j]) ? 0 : exp(w[j] - top);
                for (c = 0; c < d_head; c++) {
                    double y = 0;
                    for (j = 0; j < seq_k; j++)
                        if (!isinf(w[j]))
                            y += exp(w[j] - top) / total *
                                 value[b * n_heads * seq_k * d_head + h * seq_k * d_head + j * d_head + c];
                    out[b * n_heads * seq_q * d_head + h * seq_q * d_head + i * d_head + c] = y;
                }
            }
}
