#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static double share(const float *s, const bool *may, size_t n, size_t at)
{
    double others = 0;
    if (!may[at])
        return 0;
    for (size_t k = 0; k < n; k++)
        if (may[k])
            others += exp((double)s[k] - (double)s[at]);
    return 1 / others;
}

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t k = 0; k < rows * cols; k++) {
        size_t start = k - k % cols;
        weights[k] = (float)share(scores + start, may_attend + start, cols, k - start);
    }
}
