/* What is seen of the transcript, in which a line wider than the pane takes several rows. See
 * prompt_internal.h. */
#include "base/size.h"
#include "ui/panes/prompt/prompt_internal.h"

enum { CONTEXT_PART = 3 /* of the rows: those above a place that is gone to */ };

/* A row of a line; row 0 of the line after the last is the end. */
struct place {
    size_t line, row;
};

/* How many rows a line takes, and the column at which one of them begins, or the last. */
static size_t wrap(const struct doc *doc, size_t line, size_t cols, size_t row, size_t *ret_col)
{
    const struct span *span;
    size_t n_spans = doc_line_spans(doc, line, &span), n = 1, begin = 0, col = 0;
    *ret_col = 0;
    if (n_spans == 0 || cols == 0 || span[n_spans - 1].end - span[0].begin <= cols)
        return 1;
    for (size_t at = span[0].begin; at < span[n_spans - 1].end;) {
        struct text_character character =
            text_character(doc->text.bytes + at, span[n_spans - 1].end - at);
        if (col + character.cols > begin + cols && col > begin) {
            begin = col;
            n++;
        }
        if (n <= row + 1)
            *ret_col = begin;
        col += character.cols;
        at += character.size;
    }
    return n;
}

static size_t n_rows(const struct doc *doc, size_t line, size_t cols)
{
    size_t col;
    return wrap(doc, line, cols, 0, &col);
}

/* Goes back by so many rows, as far as there are; returns by how many. */
static size_t go_back(const struct doc *doc, size_t cols, struct place *place, size_t rows)
{
    size_t left = rows;
    while (left > 0 && (place->row > 0 || place->line > 0)) {
        if (place->row == 0)
            place->row = n_rows(doc, --place->line, cols);
        size_t step = place->row < left ? place->row : left;
        place->row -= step;
        left -= step;
    }
    return rows - left;
}

static void go_forth(const struct doc *doc, size_t cols, struct place *place, size_t rows)
{
    while (rows > 0 && place->line < doc->n_lines) {
        size_t left = n_rows(doc, place->line, cols) - place->row;
        if (rows < left) {
            place->row += rows;
            return;
        }
        rows -= left;
        *place = (struct place){place->line + 1, 0};
    }
}

static size_t rows_of_view(const struct prompt *prompt)
{
    return prompt->rows > 1 ? (size_t)prompt->rows - 1 : 1;
}

/* The place after the last row that is seen. */
static struct place end_of_view(const struct prompt *prompt, size_t cols)
{
    const struct doc *doc = &prompt->transcript;
    size_t hidden = prompt->scroll, rows = prompt->scroll_rows;
    if (prompt->first > 0) {
        struct place from = {prompt->first - 1, 0};
        go_forth(doc, cols, &from, rows_of_view(prompt));
        return from;
    }
    struct place end = {doc->n_lines > hidden ? doc->n_lines - hidden : 0, 0};
    if (rows > 0 && end.line > 0) {
        size_t all = n_rows(doc, --end.line, cols); /* fewer perhaps than when it was scrolled */
        end.row = rows < all ? all - rows : 1;
    }
    return end;
}

static void end_view_at(struct prompt *prompt, struct place end)
{
    const struct doc *doc = &prompt->transcript;
    prompt->first = 0;
    prompt->scroll = doc->n_lines - end.line - (end.row > 0);
    prompt->scroll_rows = end.row > 0 ? n_rows(doc, end.line, (size_t)prompt->cols) - end.row : 0;
}

void prompt_return_to_end(struct prompt *prompt)
{
    prompt->scroll = prompt->scroll_rows = prompt->first = 0;
}

bool prompt_sees_end(const struct prompt *prompt, size_t cols)
{
    return end_of_view(prompt, cols).line >= prompt->transcript.n_lines;
}

size_t prompt_last_line_seen(const struct prompt *prompt)
{
    struct place end = end_of_view(prompt, (size_t)prompt->cols);
    return end.row > 0 || end.line == 0 ? end.line : end.line - 1;
}

static bool is_before(struct place a, struct place b)
{
    return a.line < b.line || (a.line == b.line && a.row < b.row);
}

/* The row of a line that shows this column. */
static struct place place_of(const struct doc *doc, size_t cols, size_t line, size_t col)
{
    size_t begin, row = 0, after = n_rows(doc, line, cols);
    while (row + 1 < after) {
        size_t middle = row + (after - row) / 2;
        (void)wrap(doc, line, cols, middle, &begin);
        if (begin <= col)
            row = middle;
        else
            after = middle;
    }
    return (struct place){line, row};
}

void prompt_show_place(struct prompt *prompt, size_t line, size_t col)
{
    const struct doc *doc = &prompt->transcript;
    size_t cols = (size_t)prompt->cols, rows = rows_of_view(prompt);
    if (prompt->rows <= 0 || prompt->cols <= 0 || line >= doc->n_lines)
        return;
    struct place end = end_of_view(prompt, cols), top = end, to = place_of(doc, cols, line, col);
    (void)go_back(doc, cols, &top, rows);
    if (!is_before(to, top) && is_before(to, end))
        return;
    (void)go_back(doc, cols, &to, rows / CONTEXT_PART);
    go_forth(doc, cols, &to, rows);
    end_view_at(prompt, to);
}

void prompt_scroll(struct prompt *prompt, int rows)
{
    const struct doc *doc = &prompt->transcript;
    size_t cols = (size_t)prompt->cols;
    struct place end = end_of_view(prompt, cols), top = end;
    if (rows > 0 && prompt->n_rested > 0) { /* the lines come back; a prompt of one row sees none */
        prompt->n_rested = 0;
        rows = prompt->rows > 1 ? rows : 0;
    }
    if (rows < 0) {
        go_forth(doc, cols, &end, (size_t)-rows);
    } else {
        (void)go_back(doc, cols, &top, rows_of_view(prompt));
        (void)go_back(doc, cols, &end, go_back(doc, cols, &top, (size_t)rows));
    }
    end_view_at(prompt, end);
}

void prompt_show_beginning(struct prompt *prompt, size_t n_lines)
{
    size_t n = prompt->transcript.n_lines;
    prompt->first = n_lines > 0 && n_lines <= n ? n - n_lines + 1 : 0;
}

int prompt_draw_transcript(const struct prompt *prompt, struct area area)
{
    const struct doc *doc = &prompt->transcript;
    size_t cols = (size_t)area.cols, rows = (size_t)area.rows, col;
    struct place top = end_of_view(prompt, cols);
    rows = go_back(doc, cols, &top, rows);
    for (int row = 0; row < (int)rows; row++) {
        size_t n = wrap(doc, top.line, cols, top.row, &col);
        struct area part = area_part(area, row, 0, 1, area.cols);
        area_doc(part, doc, top.line, col);
        find_mark_row(&prompt->find, doc, top.line, col, part);
        top = top.row + 1 < n ? (struct place){top.line, top.row + 1}
                              : (struct place){top.line + 1, 0};
    }
    return (int)rows;
}

size_t prompt_count_rows(const struct prompt *prompt, size_t cols)
{
    size_t n = 0;
    for (size_t line = prompt->transcript.n_lines; line > prompt->n_rested && n < CANVAS_MAX_ROWS;)
        n += n_rows(&prompt->transcript, --line, cols);
    return n;
}

bool prompt_is_empty(const struct prompt *prompt)
{
    return prompt->line.text.size == 0;
}
