#include <math.h>
#include <stddef.h>

static float top_of_column(size_t rows, size_t cols, const float *scores, size_t j)
{
    float top = scores[j];
    for (size_t i = 1; i < rows; i++)
        top = fmaxf(top, scores[i * cols + j]);
    return top;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            float top = top_of_column(rows, cols, scores, j), sum = 0.0f;
            for (size_t k = 0; k < rows; k++)
                sum += expf(scores[k * cols + j] - top);
            weights[i * cols + j] = expf(scores[i * cols + j] - top) / sum;
        }
    }
}
