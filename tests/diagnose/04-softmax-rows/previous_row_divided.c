#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float sum = 1;
    for (size_t i = 0; i < rows; i++) {
        float m = scores[i * cols];
        for (size_t j = 0; j < cols; j++)
            m = scores[i * cols + j] > m ? scores[i * cols + j] : m;
        float next = 0;
        for (size_t j = 0; j < cols; j++) {
            float e = expf(scores[i * cols + j] - m);
            next += e;
            weights[i * cols + j] = e / sum;
        }
        sum = next;
    }
}
