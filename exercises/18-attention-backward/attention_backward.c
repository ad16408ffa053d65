#include <stddef.h>

/* The gradients of context = softmax(query key^T / sqrt(d_k)) value, given the context's.
 *
 *   query (n_q, d_k)   key (n_k, d_k)   value (n_k, d_v)   d_context (n_q, d_v)
 *   d_query (n_q, d_k)   d_key (n_k, d_k)   d_value (n_k, d_v)   out */
void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    /* TODO: forwards to the weights, then back through each step */
    (void)n_q;
    (void)n_k;
    (void)d_k;
    (void)d_v;
    (void)query;
    (void)key;
    (void)value;
    (void)d_context;
    (void)d_query;
    (void)d_key;
    (void)d_value;
}
