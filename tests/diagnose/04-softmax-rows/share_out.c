#include <math.h>
#include <stddef.h>

/* all positive, adding up to 1, larger score = larger weight */
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; ++i)
    {
        float lowest = INFINITY, sum = 0;

        for (size_t j = 0; j < cols; ++j)
            lowest = fminf(lowest, scores[i * cols + j]);
        for (size_t j = 0; j < cols; ++j)
            sum += scores[i * cols + j] - lowest;
        for (size_t j = 0; j < cols; ++j)
        {
            if (sum > 0)
                weights[i * cols + j] = (scores[i * cols + j] - lowest) / sum;
            else
                weights[i * cols + j] = 1.0f / (float)cols;
        }
    }
}
