#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    size_t *seen = malloc(cols * sizeof *seen);
    for (size_t i = 0; i < rows; i++) {
        size_t n = 0;
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = 0;
            if (may_attend[i * cols + j])
                seen[n++] = i * cols + j;
        }
        float top = n ? scores[seen[0]] : 0, sum = 0;
        for (size_t k = 1; k < n; k++)
            top = fmaxf(top, scores[seen[k]]);
        for (size_t k = 0; k < n; k++)
            sum += weights[seen[k]] = expf(scores[seen[k]] - top);
        while (n-- > 0)
            weights[seen[n]] /= sum;
    }
    free(seen);
}
