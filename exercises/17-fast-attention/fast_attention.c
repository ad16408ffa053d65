#include <stddef.h>

/* context = softmax(query key^T / sqrt(d)) value, in less time than the plain loops.
 *
 *   query (n, d)   key (n, d)   value (n, d)
 *   context (n, d)   out */
void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    /* TODO: make it right first, then quick */
    (void)n;
    (void)d;
    (void)query;
    (void)key;
    (void)value;
    (void)context;
}
