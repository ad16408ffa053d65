#include <stddef.h>

/* Attention in n_heads heads, where n_heads / n_kv_heads query heads share a key and value head.
 *
 *   query (n_heads, n, d_head)
 *   key   (n_kv_heads, n, d_head)   value (n_kv_heads, n, d_head)
 *   out   (n_heads, n, d_head)      out */
void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    /* TODO: attention for each query head, with the key and value head that it shares */
    (void)n;
    (void)n_heads;
    (void)n_kv_heads;
    (void)d_head;
    (void)query;
    (void)key;
    (void)value;
    (void)out;
}
