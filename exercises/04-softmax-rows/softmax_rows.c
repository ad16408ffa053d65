#include <stddef.h>

/* weights[i, j] = exp(scores[i, j]) / sum over the row of exp(scores[i, ...])
 *
 *   scores  (rows, cols), only read: scores[i, j] is scores[i * cols + j]
 *   weights (rows, cols), to be written: each row adds up to 1 */
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    /* TODO: replace these lines. expf() and INFINITY are in <math.h>. */
    (void)rows;
    (void)cols;
    (void)scores;
    (void)weights;
}
