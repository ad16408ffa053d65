#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    const float(*S)[cols] = (const float(*)[cols])scores;
    float(*W)[cols] = (float(*)[cols])weights;
    for (size_t i = 0; i < rows; i++) {
        float biggest = S[i][0];
        for (size_t j = 1; j < cols; j++)
            if (S[i][j] > biggest)
                biggest = S[i][j];
        float sum = 0;
        for (size_t j = 0; j < cols; j++)
            sum += W[i][j] = expf(S[i][j] - biggest);
        for (size_t j = 0; j < cols; j++)
            W[i][j] /= sum;
    }
}
