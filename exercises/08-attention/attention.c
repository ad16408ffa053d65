#include <stddef.h>

/* context = softmax(query key^T / sqrt(d_k)) value
 *
 *   query   (n_q, d_k), only read: query[i, d] is query[i * d_k + d]
 *   key     (n_k, d_k), only read
 *   value   (n_k, d_v), only read
 *   context (n_q, d_v), to be written: context[i, c] is context[i * d_v + c] */
void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    /* TODO: replace these lines. Functions of your own are welcome; write static before them.
     * expf(), sqrtf() and INFINITY are in <math.h>, malloc() and free() in <stdlib.h>. */
    (void)n_q;
    (void)n_k;
    (void)d_k;
    (void)d_v;
    (void)query;
    (void)key;
    (void)value;
    (void)context;
}
