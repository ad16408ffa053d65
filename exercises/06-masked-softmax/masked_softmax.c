#include <stdbool.h>
#include <stddef.h>

/* Softmax of each row over the keys that may be seen.
 *
 *   scores     (rows, cols), only read: scores[i, j] is scores[i * cols + j]
 *   may_attend (rows, cols), only read: true where query i may look at key j
 *   weights    (rows, cols), to be written: 0 where a key is hidden; each row adds up to 1,
 *              or is all zeros when no key may be seen */
void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    /* TODO: replace these lines. expf() and INFINITY are in <math.h>. */
    (void)rows;
    (void)cols;
    (void)scores;
    (void)may_attend;
    (void)weights;
}
