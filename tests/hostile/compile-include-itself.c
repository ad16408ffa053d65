// expect: compile_error
// Includes itself twice, to a depth of 200: 2 to the 200 lines.
#include __FILE__
#include __FILE__
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights);
