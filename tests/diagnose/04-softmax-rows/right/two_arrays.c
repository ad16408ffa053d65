#include <math.h>
#include <stdlib.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float *max = malloc(rows * sizeof *max);
    float *sum = calloc(rows, sizeof *sum);
    size_t i, j;
    if (!max || !sum)
        goto out;
    /* first all maxima, then all sums, then all weights */
    for (i = 0; i < rows; i++)
        for (max[i] = scores[i * cols], j = 1; j < cols; j++)
            if (scores[i * cols + j] > max[i])
                max[i] = scores[i * cols + j];
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            sum[i] += expf(scores[i * cols + j] - max[i]);
    for (j = 0; j < cols; j++)
        for (i = 0; i < rows; i++)
            weights[i * cols + j] = expf(scores[i * cols + j] - max[i]) / sum[i];
out:
    free(sum);
    free(max);
}
