#include <stddef.h>

/* context = softmax(query key^T / sqrt(d_k)) value, without an array of all the scores.
 *
 *   query (n_q, d_k)   key (n_k, d_k)   value (n_k, d_v)
 *   context (n_q, d_v)   out */
void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    /* TODO: for each query go over the keys once, with a running maximum and running sums */
    (void)n_q;
    (void)n_k;
    (void)d_k;
    (void)d_v;
    (void)query;
    (void)key;
    (void)value;
    (void)context;
}
