// expect: wrong_answer 0
// The same weight for all: right for rows of one number, by luck.
#include <stddef.h>
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)scores;
    for (size_t i = 0; i < rows * cols; i++)
        weights[i] = 1.0f / (float)cols;
}
