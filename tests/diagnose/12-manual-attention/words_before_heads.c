#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static size_t at(size_t b, size_t word, size_t h, size_t words, size_t heads, size_t d)
{
    return ((b * words + word) * heads + h) * d;
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    double *w = malloc(seq_k * sizeof *w);
    if (!w)
        return;
    for (size_t b = 0; b < batch; b++)
        for (size_t i = 0; i < seq_q; i++)
            for (size_t h = 0; h < n_heads; h++) {
                const float *q = query + at(b, i, h, seq_q, n_heads, d_head);
                float *o = out + at(b, i, h, seq_q, n_heads, d_head);
                size_t mb = mask_batch > 1 ? b : 0, mh = mask_heads > 1 ? h : 0;
                double top = -INFINITY, total = 0;
                for (size_t j = 0; j < seq_k; j++) {
                    const float *k = key + at(b, j, h, seq_k, n_heads, d_head);
                    double s = 0;
                    for (size_t c = 0; c < d_head; c++)
                        s += (double)q[c] * k[c];
                    w[j] = s / sqrt((double)d_head);
                    if (may_attend && !may_attend[((mb * mask_heads + mh) * seq_q + i) * seq_k + j])
                        w[j] = -INFINITY;
                    top = fmax(top, w[j]);
                }
                for (size_t j = 0; j < seq_k; j++) {
                    w[j] = top == -INFINITY ? 0 : exp(w[j] - top);
                    total += w[j];
                }
                for (size_t c = 0; c < d_head; c++) {
                    double s = 0;
                    for (size_t j = 0; j < seq_k; j++)
                        s += w[j] * value[at(b, j, h, seq_k, n_heads, d_head) + c];
                    o[c] = total > 0 ? (float)(s / total) : 0.0f;
                }
            }
    free(w);
}
