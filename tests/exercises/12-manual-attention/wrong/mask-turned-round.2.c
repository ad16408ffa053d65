/* In one pass over the keys; true = hidden. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    for (size_t row = 0; row < batch * n_heads * seq_q; row++) {
        const size_t i = row % seq_q, h = row / seq_q % n_heads, b = row / seq_q / n_heads;
        const size_t mask_row = ((b % mask_batch) * mask_heads + h % mask_heads) * seq_q + i;
        const float *q = query + row * d_head;
        float *o = out + row * d_head, top = -INFINITY, sum = 0.0f;
        for (size_t c = 0; c < d_head; c++)
            o[c] = 0.0f;
        for (size_t j = 0; j < seq_k; j++) {
            const size_t at = (row / seq_q * seq_k + j) * d_head;
            if (may_attend && may_attend[mask_row * seq_k + j])
                continue;
            float score = 0.0f;
            for (size_t c = 0; c < d_head; c++)
                score += q[c] * key[at + c];
            score /= sqrtf((float)d_head);
            const float shrink = score > top ? expf(top - score) : 1.0f;
            top = score > top ? score : top;
            sum = sum * shrink + expf(score - top);
            for (size_t c = 0; c < d_head; c++)
                o[c] = o[c] * shrink + expf(score - top) * value[at + c];
        }
        for (size_t c = 0; c < d_head && sum > 0.0f; c++)
            o[c] /= sum;
    }
}
