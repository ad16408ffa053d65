#include <stdbool.h>
#include <stddef.h>

/* Attention for each head of each text of a batch, with an optional mask.
 *
 *   query      (batch, n_heads, seq_q, d_head), only read
 *   key, value (batch, n_heads, seq_k, d_head), only read
 *   may_attend (mask_batch, mask_heads, seq_q, seq_k), only read: true where a key may be seen;
 *              or NULL: everything may. mask_batch is batch, or 1: one mask for all texts;
 *              mask_heads is n_heads, or 1: one mask for all heads
 *   out        (batch, n_heads, seq_q, d_head), to be written */
void manual_attention(size_t batch, size_t n_heads, size_t seq_q, size_t seq_k, size_t d_head,
                      const float *query, const float *key, const float *value,
                      const bool *may_attend, size_t mask_batch, size_t mask_heads, float *out)
{
    /* TODO: replace these lines. */
    (void)batch;
    (void)n_heads;
    (void)seq_q;
    (void)seq_k;
    (void)d_head;
    (void)query;
    (void)key;
    (void)value;
    (void)may_attend;
    (void)mask_batch;
    (void)mask_heads;
    (void)out;
}
