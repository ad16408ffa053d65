#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        float *w = weights + r * cols;
        size_t m = 0;
        float big = -INFINITY, total = 0;

        for (size_t c = 0; c < cols; c++) {
            if (!may_attend[r * cols + c]) continue;
            w[m++] = scores[r * cols + c];
            big = fmaxf(big, w[m - 1]);
        }
        for (size_t c = 0; c < m; c++)
            total += w[c] = expf(w[c] - big);
        for (size_t c = 0; c < m; c++)
            w[c] /= total;
        for (size_t c = m; c < cols; c++)
            w[c] = 0;
    }
}
