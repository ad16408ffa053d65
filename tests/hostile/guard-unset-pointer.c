// expect: crash no address
// Rows by pointers that nobody set: what lies in fresh memory is no address.
#include <stddef.h>
#include <stdlib.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float *volatile *lines = malloc((rows + 1) * sizeof *lines);
    if (lines == NULL)
        return;
    lines[0][0] = scores[0];
    weights[0] = lines[0][0];
    free((void *)lines);
    (void)cols;
}
