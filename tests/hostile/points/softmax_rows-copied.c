// expect: wrong_answer 0
// The inputs as outputs.
#include <string.h>
#include <stddef.h>
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    memcpy(weights, scores, rows * cols * sizeof *weights);
}
