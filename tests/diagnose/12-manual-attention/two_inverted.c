#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax(float *x, size_t n)
{
    float m = -INFINITY, z = 0;
    for (size_t i = 0; i < n; i++)
        m = fmaxf(m, x[i]);
    if (m == -INFINITY) {
        for (size_t i = 0; i < n; i++)
            x[i] = 0;
        return;
    }
    for (size_t i = 0; i < n; i++)
        z += x[i] = expf(x[i] - m);
    for (size_t i = 0; i < n; i++)
        x[i] /= z;
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *w = malloc(seq_k * sizeof *w);
    for (size_t b = 0; b < batch; b++) {
        size_t mb = mask_batch == 1 ? 0 : b;
        for (size_t h = 0; h < n_heads; h++) {
            size_t mh = mask_heads == 1 ? 0 : h;
            size_t bh = b * n_heads + h;
            for (size_t i = 0; i < seq_q; i++) {
                const float *q = query + (bh * seq_q + i) * d_head;
                for (size_t j = 0; j < seq_k; j++) {
                    const float *k = key + (bh * seq_k + j) * d_head;
                    w[j] = 0;
                    for (size_t c = 0; c < d_head; c++)
                        w[j] += q[c] * k[c];
                    if (may_attend != NULL &&
                        may_attend[((mb * mask_heads + mh) * seq_q + i) * seq_k + j])
                        w[j] = -INFINITY;
                }
                softmax(w, seq_k);
                float *o = out + (bh * seq_q + i) * d_head;
                for (size_t c = 0; c < d_head; c++) {
                    float acc = 0;
                    for (size_t j = 0; j < seq_k; j++)
                        acc += w[j] * value[(bh * seq_k + j) * d_head + c];
                    o[c] = acc;
                }
            }
        }
    }
    free(w);
}
