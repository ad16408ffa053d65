#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void attend(size_t seq_q, size_t seq_k, size_t d, const float *q, const float *k,
                   const float *v, const bool *mask, float *w, float *out)
{
    for (size_t i = 0; i < seq_q; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < seq_k; j++) {
            if (mask != NULL && !mask[i * seq_k + j]) {
                w[j] = -INFINITY;
                continue;
            }
            float dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += q[i * d + c] * k[j * d + c];
            w[j] = dot / sqrtf((float)d);
            if (w[j] > top)
                top = w[j];
        }
        for (size_t c = 0; c < d; c++)
            out[i * d + c] = 0;
        if (top == -INFINITY)
            continue;
        for (size_t j = 0; j < seq_k; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t j = 0; j < seq_k; j++)
            for (size_t c = 0; c < d; c++)
                out[i * d + c] += w[j] / total * v[j * d + c];
    }
}

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    float *w = malloc(seq_k * sizeof *w);
    if (w == NULL)
        return;
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_heads; h++) {
            const bool *mask = may_attend;
            if (mask != NULL)
                mask += ((b % mask_batch) * mask_heads + h % mask_heads) * seq_q * seq_k;
            attend(seq_q, seq_k, d_head, query + (b * n_heads + h) * seq_q * d_head,
                   key + (b * n_heads + h) * seq_k * d_head, value + h * seq_k * d_head, mask, w,
                   out + (b * n_heads + h) * seq_q * d_head);
        }
    free(w);
}
