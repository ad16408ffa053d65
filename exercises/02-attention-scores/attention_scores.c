#include <stddef.h>

/* scores[i, j] = dot product of query i and key j
 *
 *   query  (n_q, d_k), only read: query[i, d] is query[i * d_k + d]
 *   key    (n_k, d_k), only read: key[j, d] is key[j * d_k + d]
 *   scores (n_q, n_k), to be written: scores[i, j] is scores[i * n_k + j] */
void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    /* TODO: replace these lines. */
    (void)n_q;
    (void)n_k;
    (void)d_k;
    (void)query;
    (void)key;
    (void)scores;
}
