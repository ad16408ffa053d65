// expect: compile_error
// The same with the other brackets.
#include </etc/shadow>
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
