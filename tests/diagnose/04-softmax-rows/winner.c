#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        size_t best = 0;
        for (size_t j = 1; j < cols; j++)
            if (scores[i * cols + j] > scores[i * cols + best])
                best = j;
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = j == best ? 1.0f : 0.0f;
    }
}
