// expect: wrong_answer 3.15
// 1 for the greatest of a row: right where one score is far above the others, so the cases of
// luck count too: 6 of 19.
#include <stddef.h>
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        size_t top = 0;
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = 0;
            if (scores[i * cols + j] > scores[i * cols + top])
                top = j;
        }
        weights[i * cols + top] = 1;
    }
}
