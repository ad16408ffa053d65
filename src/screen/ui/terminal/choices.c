/* See choices.h. */
#include "ui/terminal/choices.h"

#include <string.h>

struct columns {
    int width, per_row, rows; /* the columns' width, how many there are, and the rows to be used */
    size_t n_shown;           /* the others are counted in the last row */
};

static struct columns columns_of(const struct completions *choices, int max_rows, int cols)
{
    const char *word = text_string(&choices->words);
    struct columns columns = {.width = 1, .n_shown = choices->n};
    for (size_t i = 0; i < choices->n; i++, word += strlen(word) + 1) {
        int width = (int)text_width(word, strlen(word)) + 2;
        columns.width = width > columns.width ? width : columns.width;
    }
    columns.per_row = cols > columns.width ? cols / columns.width : 1;
    size_t rows = (choices->n + (size_t)columns.per_row - 1) / (size_t)columns.per_row;
    columns.rows = rows < (size_t)max_rows ? (int)rows : max_rows;
    if (rows > (size_t)max_rows)
        columns.n_shown = max_rows > 0 ? (size_t)(max_rows - 1) * (size_t)columns.per_row : 0;
    return columns;
}

int choices_rows(const struct completions *choices, int max_rows, int cols)
{
    return columns_of(choices, max_rows, cols).rows;
}

void choices_draw(const struct completions *choices, struct area area)
{
    struct columns columns = columns_of(choices, area.rows, area.cols);
    const char *word = text_string(&choices->words);
    struct canvas_look look = look_of(STYLE_NAME);
    for (size_t i = 0; i < columns.n_shown; i++, word += strlen(word) + 1)
        area_text(area, (int)i / columns.per_row, (int)i % columns.per_row * columns.width, look,
                  word);
    if (columns.n_shown < choices->n)
        area_format(area, area.rows - 1, 0, look_of(STYLE_QUIET), "... and %zu more",
                    choices->n - columns.n_shown);
}
