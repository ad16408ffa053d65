#include <stddef.h>

/* context[i] = the values, each as much as query i's weight for it says
 *
 *   weights (n_q, n_k), only read: weights[i, j] is weights[i * n_k + j]
 *   value   (n_k, d_v), only read: value[j, c] is value[j * d_v + c]
 *   context (n_q, d_v), to be written: context[i, c] is context[i * d_v + c] */
void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    /* TODO: replace these lines. */
    (void)n_q;
    (void)n_k;
    (void)d_v;
    (void)weights;
    (void)value;
    (void)context;
}
