// expect: compile_error
// Reads a file of the machine into the compiler's messages.
#include "/etc/passwd"
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
