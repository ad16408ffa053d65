/* A matrix as it is drawn under a question: its names, its cells, the part of it that is seen. See
 * lesson_pane_internal.h. */
#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "show/number.h"
#include "tensor/tensor.h"
#include "ui/panes/lesson/lesson_pane_internal.h"

enum {
    LABEL_PART = 4, /* a name takes at most such a part of the columns */
    LABEL_MIN_COLS = 4,
    ROWS_AROUND = 3, /* for the names, the guide, and what says that there are more rows */
    MIN_ROWS = 3,
};

int lesson_pane_step_of_key(int key, const struct field *typed)
{
    if (key == KEYCODE_LEFT)
        return typed != NULL && typed->cursor > 0 ? 0 : -1;
    if (key == KEYCODE_RIGHT)
        return typed != NULL && typed->cursor < typed->size ? 0 : 1;
    return key == KEYCODE_TAB ? 1 : key == KEYCODE_BACK_TAB ? -1 : 0;
}

void lesson_pane_put_index(const struct node *matrix, size_t position, struct text *out)
{
    size_t index[TENSOR_MAX_AXES];
    tensor_index_of(&matrix->value, position, index);
    for (unsigned axis = 0; axis < matrix->value.n_axes; axis++)
        text_format(out, "%s%zu", axis > 0 ? ", " : "", index[axis]);
}

size_t lesson_pane_widest_name(const struct node *matrix, unsigned axis)
{
    char text[NODE_NUMBER_BYTES];
    size_t widest = 0;
    for (size_t i = 0; i < matrix->value.shape[axis]; i++) {
        const char *name = node_position_name(matrix, axis, i, text);
        widest = size_max(widest, text_width(name, strlen(name)));
    }
    return widest;
}

char *lesson_pane_shown_number(const struct lesson_pane *pane, const struct node *matrix,
                               size_t position, char text[NUMBER_TEXT])
{
    return number_short(tensor_at_position(&matrix->value, position),
                        pane->tutor->player->reference.session.settings.digits, text);
}

/* ---- what fits ---- */

/* Cells as wide as fits, within limits; a blank between them is the first to go. */
static void fit_cells(size_t room, size_t least, size_t most, struct lesson_pane_grid *grid)
{
    size_t slot = room / grid->n_cols;
    size_t cols = slot > LESSON_PANE_BRACKETS_COLS + 1 ? slot - LESSON_PANE_BRACKETS_COLS - 1 : 0;
    grid->cell_cols = size_max(size_min(cols, most), least);
    bool tight = slot == grid->cell_cols + LESSON_PANE_BRACKETS_COLS;
    grid->slot_cols = grid->cell_cols + LESSON_PANE_BRACKETS_COLS + (tight ? 0 : 1);
}

/* The part of n that has `here` in it, from the first on where it can. */
static void fit_part(size_t n, size_t seen, size_t here, size_t *ret_first, size_t *ret_end)
{
    *ret_first = here >= seen ? here - seen + 1 : 0;
    *ret_end = size_min(*ret_first + seen, n);
}

struct lesson_pane_grid lesson_pane_fit_grid(const struct lesson_pane *pane,
                                             const struct node *matrix, size_t least, size_t most,
                                             size_t here)
{
    unsigned n_axes = matrix->value.n_axes;
    size_t size = tensor_size(&matrix->value);
    struct lesson_pane_grid grid = {
        .matrix = matrix, .n_cols = n_axes > 0 ? matrix->value.shape[n_axes - 1] : 1, .here = here};
    size_t cols = lesson_pane_line_cols(pane), rows = lesson_pane_text_rows(pane);
    grid.n_rows = size / grid.n_cols;
    if (n_axes > 1)
        grid.label_cols = 1 + size_min(lesson_pane_widest_name(matrix, n_axes - 2),
                                       size_max(cols / LABEL_PART, LABEL_MIN_COLS));
    size_t room = cols > grid.label_cols + 1 ? cols - grid.label_cols - 1 : 1;
    fit_cells(room, least, most, &grid);
    here = here < size ? here : 0;
    fit_part(grid.n_cols, size_max(room / grid.slot_cols, 1), here % grid.n_cols, &grid.first_col,
             &grid.end_col);
    rows = rows > MIN_ROWS + ROWS_AROUND ? rows - ROWS_AROUND : MIN_ROWS;
    fit_part(grid.n_rows, rows, here / grid.n_cols, &grid.first_row, &grid.end_row);
    return grid;
}

size_t lesson_pane_grid_line(const struct lesson_pane_grid *grid)
{
    return 1 + grid->here / grid->n_cols - grid->first_row;
}

size_t lesson_pane_grid_col(const struct lesson_pane_grid *grid)
{
    return grid->label_cols + (grid->here % grid->n_cols - grid->first_col) * grid->slot_cols;
}

size_t lesson_pane_grid_find(const struct lesson_pane_grid *grid, size_t line, int col)
{
    size_t row = grid->first_row + line - 1; /* below the names of the columns */
    if (line == 0 || row >= grid->end_row || col < (int)grid->label_cols)
        return SIZE_MAX;
    size_t at = grid->first_col + ((size_t)col - grid->label_cols) / grid->slot_cols;
    return at < grid->end_col ? row * grid->n_cols + at : SIZE_MAX;
}

/* ---- drawing ---- */

/* A text in so many columns, its end cut with an ellipsis. */
static void put_cut(struct doc *doc, enum style style, const char *text, size_t cols, bool ascii)
{
    size_t size = strlen(text);
    bool cut = text_width(text, size) > cols;
    size_t fits = cut ? text_fit(text, size, cols > 0 ? cols - 1 : 0) : size;
    size_t used = text_width(text, fits) + (cut ? 1 : 0);
    doc_put(doc, style, text, fits);
    if (cut)
        doc_add(doc, STYLE_QUIET, "%s", ascii ? "~" : "\xE2\x80\xA6");
    doc_add(doc, STYLE_PLAIN, "%*s", (int)(cols > used ? cols - used : 0), "");
}

void lesson_pane_put_typed(struct doc *doc, const struct field *field, size_t cols, bool here,
                           bool ascii)
{
    size_t at = text_width(field->text, field->cursor);
    size_t skipped = here && at >= cols ? text_fit(field->text, field->size, at - cols + 1) : 0;
    put_cut(doc, STYLE_NUMBER, field->text + skipped, cols, ascii);
}

/* The names of the cursor's row and column are bold. */
static enum style name_style(bool here)
{
    return here ? STYLE_TITLE : STYLE_LABEL;
}

static void put_names(const struct lesson_pane_grid *grid, struct doc *doc, bool ascii)
{
    char text[NODE_NUMBER_BYTES];
    unsigned n_axes = grid->matrix->value.n_axes;
    const char *more = ascii ? "~" : "\xE2\x80\xA6";
    if (grid->label_cols > 1)
        doc_add(doc, STYLE_QUIET, "%s%*s", grid->first_row > 0 ? more : " ",
                (int)grid->label_cols - 2, "");
    doc_add(doc, STYLE_QUIET, "%s", grid->first_col > 0 ? more : " ");
    for (size_t col = grid->first_col; col < grid->end_col; col++) {
        bool here = grid->names_cursor && grid->here < SIZE_MAX && col == grid->here % grid->n_cols;
        doc_put(doc, STYLE_PLAIN, " ", grid->label_cols > 0 || col > grid->first_col);
        put_cut(doc, name_style(here),
                n_axes > 0 ? node_position_name(grid->matrix, n_axes - 1, col, text) : "",
                grid->slot_cols - 1, ascii);
    }
    doc_add(doc, STYLE_QUIET, "%s", grid->end_col < grid->n_cols ? more : "");
    doc_end_line(doc);
}

static void put_row(const struct lesson_pane_grid *grid, size_t row, lesson_pane_put_slot *put_slot,
                    const struct lesson_pane *pane, struct doc *doc, bool ascii)
{
    char text[NODE_NUMBER_BYTES];
    unsigned n_axes = grid->matrix->value.n_axes;
    bool here = grid->names_cursor && grid->here < SIZE_MAX && row == grid->here / grid->n_cols;
    if (grid->label_cols > 0) {
        size_t n = grid->matrix->value.shape[n_axes - 2];
        put_cut(doc, name_style(here), node_position_name(grid->matrix, n_axes - 2, row % n, text),
                grid->label_cols - 1, ascii);
        doc_put(doc, STYLE_PLAIN, " ", 1);
    }
    for (size_t col = grid->first_col; col < grid->end_col; col++) {
        put_slot(pane, grid, row * grid->n_cols + col, doc, ascii);
        doc_put(doc, STYLE_PLAIN, " ",
                grid->slot_cols - grid->cell_cols - LESSON_PANE_BRACKETS_COLS);
    }
    doc_end_line(doc);
}

void lesson_pane_add_grid(const struct lesson_pane_grid *grid, lesson_pane_put_slot *put_slot,
                          const struct lesson_pane *pane, struct doc *doc, bool ascii)
{
    put_names(grid, doc, ascii);
    for (size_t row = grid->first_row; row < grid->end_row; row++)
        put_row(grid, row, put_slot, pane, doc, ascii);
    if (grid->end_row < grid->n_rows)
        doc_line(doc, STYLE_QUIET, "%s %zu more rows", ascii ? "~" : "\xE2\x80\xA6",
                 grid->n_rows - grid->end_row);
}
