#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The shift is the largest visible score; the hidden ones get a weight by multiplication with 0. */
void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    const float(*s)[cols] = (const float(*)[cols])scores;
    const bool(*may)[cols] = (const bool(*)[cols])may_attend;
    float(*w)[cols] = (float(*)[cols])weights;
    for (size_t i = 0; i < rows; i++) {
        float shift = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            shift = may[i][j] & (s[i][j] > shift) ? s[i][j] : shift;
        for (size_t j = 0; j < cols; j++)
            sum += w[i][j] = may[i][j] * expf(fminf(s[i][j] - shift, 0));
        for (size_t j = 0; j < cols; j++)
            w[i][j] /= sum + (sum == 0);
    }
}
