// expect: link_error
// Puts its own in the place of what SHOW calls.
#include <stddef.h>

void attn_show_cells(const char *name, const void *cells, int kind, int axes, size_t rows,
                     size_t cols);
void attn_show_cells(const char *name, const void *cells, int kind, int axes, size_t rows,
                     size_t cols)
{
    (void)name, (void)cells, (void)kind, (void)axes, (void)rows, (void)cols;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
