#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        const float *s = scores + r * cols;
        double lse = s[0];
        for (size_t c = 1; c < cols; c++) {
            double big = lse > s[c] ? lse : s[c], small = lse > s[c] ? s[c] : lse;
            lse = big + log1p(exp(small - big));
        }
        for (size_t c = cols; c > 0; c--)
            weights[r * cols + c - 1] = (float)exp(s[c - 1] - lse);
    }
}
