#include <math.h>
#include <stddef.h>

static void scale_row(float *row, size_t len, float by)
{
    for (size_t j = 0; j < len; j++)
        row[j] = row[j] / by;
}

void scale_scores(size_t n_q, size_t n_k, size_t d_k, float *scores)
{
    float by = sqrtf((float)d_k);
    while (n_q-- > 0)
        scale_row(scores, n_k, by);
}
