// expect: link_error
// Its own entry point.
#include <stddef.h>
void _start(void);
void _start(void)
{
    for (;;) {
    }
}
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
