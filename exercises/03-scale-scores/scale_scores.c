#include <stddef.h>

/* Divides every score by the square root of d_k, in place.
 *
 *   d_k: how many numbers a query or a key has
 *   scores (n_q, n_k), to be changed: scores[i, j] is scores[i * n_k + j] */
void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    /* TODO: replace these lines. sqrtf() is in <math.h>. */
    (void)n_q;
    (void)n_k;
    (void)d_k;
    (void)scores;
}
