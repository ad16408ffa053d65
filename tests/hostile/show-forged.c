// expect: wrong_answer
// Calls what SHOW calls, with a name and sizes of its own making, and hopes to be believed.
#define ATTN_SHOW_TO_RUNNER
#include "attn_show.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void attn_show_cells(const char *name, const void *cells, int kind, int axes, size_t rows,
                     size_t cols);

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    attn_show_cells("\033]0;owned\007", scores, 'f', 1 << 30, SIZE_MAX, SIZE_MAX);
    attn_show_cells(NULL, NULL, -1, -1, SIZE_MAX, 0);
    attn_show_cells("weights", weights, 'f', 2, rows, cols);
    memset(weights, 0, rows * cols * sizeof *weights);
}
