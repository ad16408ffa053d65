/* See tsv.h. */
#include "show/tsv.h"

#include "show/grid_internal.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

static void put_name(struct text *out, const char *name)
{
    for (; *name != '\0'; name++)
        text_char(out, *name == '\t' || *name == '\n' || *name == '\r' ? ' ' : *name);
}

static void put_row(struct text *out, const struct grid *grid, size_t row)
{
    char number[NUMBER_TEXT];
    if (grid->row_labels != NULL) {
        put_name(out, labels_name(grid->row_labels, row));
        text_char(out, '\t');
    }
    for (size_t col = 0; col < grid->n_cols; col++) {
        if (col > 0)
            text_char(out, '\t');
        text_put(out, number_exact(grid_number(grid, row, col), number));
    }
    text_char(out, '\n');
}

void picture_to_tsv(const struct picture *picture, size_t table, struct text *out)
{
    if (tensor_size(picture->tensor) == 0)
        return;
    struct grid grid = grid_of(picture, table);
    for (size_t col = 0; grid.col_labels != NULL && col < grid.n_cols; col++) {
        if (col > 0 || grid.row_labels != NULL)
            text_char(out, '\t');
        put_name(out, labels_name(grid.col_labels, col));
    }
    if (grid.col_labels != NULL)
        text_char(out, '\n');
    for (size_t row = 0; row < grid.n_rows && !out->failed; row++)
        put_row(out, &grid, row);
}

void picture_copy(const struct picture *picture, size_t position, bool table, struct text *ret,
                  struct text *what)
{
    char text[NUMBER_TEXT];
    if (!table) {
        text_put(ret, number_exact(tensor_at_position(picture->tensor, position), text));
        text_put(what, text);
        return;
    }
    struct grid first = grid_of(picture, 0);
    picture_to_tsv(picture, position / (first.n_rows * first.n_cols), ret);
    text_format(what, "%zux%zu", first.n_rows, first.n_cols);
}
