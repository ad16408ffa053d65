/* Cells in memory, and drawing on rectangles of them: see canvas.h. */
#include "ui/terminal/canvas.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

/* Marks above a letter that a cell keeps. */
enum { MARKS_MAX = 4 };

static struct canvas_cell blank_of(struct canvas_look look)
{
    return (struct canvas_cell){.bytes = " ", .cols = 1, .look = look};
}

bool canvas_resize(struct canvas *canvas, int rows, int cols)
{
    canvas_release(canvas);
    if (rows < 0 || cols < 0 || rows > CANVAS_MAX_ROWS || cols > CANVAS_MAX_COLS)
        return false;
    if (rows == 0 || cols == 0)
        return true;
    canvas->cells = malloc((size_t)rows * (size_t)cols * sizeof *canvas->cells);
    if (canvas->cells == NULL)
        return false;
    canvas->rows = rows;
    canvas->cols = cols;
    canvas_clear(canvas);
    return true;
}

void canvas_clear(struct canvas *canvas)
{
    struct canvas_cell blank = blank_of(look_of(STYLE_PLAIN));
    size_t cols = (size_t)canvas->cols, row_bytes = cols * sizeof blank;
    for (size_t i = 0; canvas->rows > 0 && i < cols; i++)
        canvas->cells[i] = blank;
    for (size_t row = 1; row < (size_t)canvas->rows; row++)
        memcpy(&canvas->cells[row * cols], canvas->cells, row_bytes);
    canvas->cursor_row = canvas->cursor_col = -1;
}

void canvas_release(struct canvas *canvas)
{
    if (canvas == NULL)
        return;
    free(canvas->cells);
    *canvas = (struct canvas){.cursor_row = -1, .cursor_col = -1};
}

struct area canvas_area(struct canvas *canvas)
{
    return (struct area){.canvas = canvas, .rows = canvas->rows, .cols = canvas->cols};
}

/* Cuts [*start, *start + *size) to [0, whole). In 64 bits, since callers may pass any int. */
static void cut(int *start, int *size, int whole)
{
    int64_t begin = *start > 0 ? *start : 0;
    int64_t end = (int64_t)*start + (*size > 0 ? *size : 0);
    begin = begin < whole ? begin : whole;
    end = end < whole ? end : whole;
    *start = (int)begin;
    *size = (int)(end > begin ? end - begin : 0);
}

struct area area_part(struct area area, int row, int col, int rows, int cols)
{
    cut(&row, &rows, area.rows);
    cut(&col, &cols, area.cols);
    return (struct area){.canvas = area.canvas,
                         .row = area.row + row,
                         .col = area.col + col,
                         .rows = rows,
                         .cols = cols};
}

struct canvas_look look_of(enum style style)
{
    return look_marked(style, 0);
}

struct canvas_look look_marked(enum style style, unsigned marks)
{
    return (struct canvas_look){
        .style = (uint8_t)style, .marks = (uint8_t)marks, .front = TINT_NONE, .back = TINT_NONE};
}

static struct canvas_cell *cell_at(struct area area, int row, int col)
{
    size_t at = (size_t)(area.row + row) * (size_t)area.canvas->cols + (size_t)(area.col + col);
    return &area.canvas->cells[at];
}

/* Places a cell. If it covers half of a wide letter, the other half becomes a blank, even outside
 * of the area: no half letter ever stays. */
static void place(struct area area, int row, int col, struct canvas_cell cell)
{
    struct canvas_cell *at = cell_at(area, row, col);
    if (at->cols == 0)
        at[-1] = blank_of(at[-1].look);
    if (at->cols == 2)
        at[1] = blank_of(at[1].look);
    *at = cell;
}

/* A character's form on the canvas. */
struct glyph {
    const char *bytes;
    size_t source_size; /* bytes of the text that it stands for */
    size_t size;
    int cols;     /* 0: a mark on the letter before, or nothing at all */
    bool is_mark; /* with 0 columns */
};

/* True for a character that belongs to the letter before and does not change how wide terminals
 * draw it. Characters that join or vary letters (ZWJ, variation selectors) do change it,
 * differently on each terminal. */
static bool joins_letter(const char *bytes, size_t size)
{
    utf8proc_int32_t code;
    if (utf8proc_iterate((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)size, &code) <= 0)
        return false;
    if ((code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF))
        return false;
    utf8proc_category_t category = utf8proc_category(code);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
           category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_LO;
}

/* The first character of bytes[0..size), size > 0. */
static struct glyph next_glyph(const char *bytes, size_t size)
{
    struct text_character character = text_character(bytes, size);
    struct glyph glyph = {.bytes = bytes,
                          .source_size = character.size,
                          .size = character.size,
                          .cols = (int)character.cols};
    if (!character.printable) {
        glyph.bytes = "?";
        glyph.size = 1;
        glyph.cols = 1;
    } else if (glyph.cols == 0) {
        glyph.is_mark = joins_letter(bytes, character.size);
    }
    return glyph;
}

/* The place of the next character. */
struct pen {
    struct area area;
    int row;
    int64_t col;
    struct canvas_cell *last; /* the letter just written, for its marks; NULL: it is not seen */
    int n_marks;              /* on it */
};

/* The pen writes only cells inside. */
static bool is_inside(const struct pen *pen, int64_t col)
{
    return pen->row >= 0 && pen->row < pen->area.rows && col >= 0 && col < pen->area.cols;
}

static void add_mark(struct pen *pen, const struct glyph *glyph)
{
    if (pen->last == NULL || pen->n_marks >= MARKS_MAX)
        return;
    size_t used = strlen(pen->last->bytes);
    if (used + glyph->size >= CANVAS_CELL_BYTES)
        return;
    memcpy(pen->last->bytes + used, glyph->bytes, glyph->size);
    pen->last->bytes[used + glyph->size] = '\0';
    pen->n_marks++;
}

/* A letter of one or two columns; of a wide one that fits only half, a blank. */
static void write_letter(struct pen *pen, const struct glyph *glyph, struct canvas_look look)
{
    int64_t first = pen->col, last = first + glyph->cols - 1;
    bool is_first_inside = is_inside(pen, first), is_last_inside = is_inside(pen, last);
    struct canvas_cell cell = {.cols = (uint8_t)glyph->cols, .look = look};
    memcpy(cell.bytes, glyph->bytes, glyph->size);
    pen->col += glyph->cols;
    pen->last = NULL;
    pen->n_marks = 0;
    if (glyph->cols == 2 && is_last_inside) /* clears the cell it covers */
        place(pen->area, pen->row, (int)last, blank_of(look));
    if (is_first_inside)
        place(pen->area, pen->row, (int)first, is_last_inside ? cell : blank_of(look));
    if (!is_first_inside || !is_last_inside)
        return;
    pen->last = cell_at(pen->area, pen->row, (int)first);
    if (glyph->cols == 2)
        pen->last[1] = (struct canvas_cell){.look = look};
}

static void write_text(struct pen *pen, struct canvas_look look, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        struct glyph glyph = next_glyph(bytes + at, size - at);
        if (glyph.cols > 0)
            write_letter(pen, &glyph, look);
        else if (glyph.is_mark)
            add_mark(pen, &glyph);
        at += glyph.source_size;
    }
}

int area_put(struct area area, int row, int col, struct canvas_look look, const char *bytes,
             size_t size)
{
    struct pen pen = {.area = area, .row = row, .col = col};
    write_text(&pen, look, bytes, size);
    return pen.col < INT_MAX ? (int)pen.col : INT_MAX;
}

int area_text(struct area area, int row, int col, struct canvas_look look, const char *text)
{
    return area_put(area, row, col, look, text, strlen(text));
}

int area_format(struct area area, int row, int col, struct canvas_look look, const char *format,
                ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&text, format, arguments);
    va_end(arguments);
    int end = area_put(area, row, col, look, text_string(&text), text.size);
    text_release(&text);
    return end;
}

void area_mark(struct area area, int row, int col, int cols, unsigned marks)
{
    struct area part = area_part(area, row, col, 1, cols);
    for (int i = 0; part.rows > 0 && i < part.cols; i++) {
        struct canvas_cell *cell = cell_at(part, 0, i);
        cell->look.marks |= (uint8_t)marks;
        if (cell->cols == 0) /* both halves of a wide letter look the same */
            cell[-1].look.marks |= (uint8_t)marks;
        else if (cell->cols == 2)
            cell[1].look.marks |= (uint8_t)marks;
    }
}

static bool is_blank_at(struct area area, int row, int col)
{
    return row >= 0 && row < area.rows && col >= 0 && col < area.cols &&
           strcmp(cell_at(area, row, col)->bytes, " ") == 0;
}

/* A bracket in place of the character there, in its look. */
static void put_bracket(struct area area, int row, int col, const char *bracket, unsigned marks)
{
    if (row < 0 || row >= area.rows || col < 0 || col >= area.cols)
        return;
    struct canvas_look look = cell_at(area, row, col)->look;
    look.front = TINT_NONE;
    look.marks |= (uint8_t)marks;
    area_text(area, row, col, look, bracket);
}

void area_bracket(struct area area, int row, int col, int cols, unsigned marks)
{
    int last = col + cols - 1, first = col, number_end = last;
    if (cols == 1) {
        put_bracket(area, row, col, "X", marks);
        return;
    }
    if (cols > 2 && !is_blank_at(area, row, last) && is_blank_at(area, row, last + 1))
        last++; /* after the number, which the cells end with */
    else
        number_end--;
    for (int at = number_end; cols > 2 && at >= col; at--)
        if (is_blank_at(area, row, at)) {
            first = at;
            break;
        }
    area_mark(area, row, col, cols, marks);
    put_bracket(area, row, first, "[", marks);
    put_bracket(area, row, last, "]", marks);
}

void area_bracket_block(struct area area, int row, int col, int rows, int cols, unsigned marks)
{
    bool is_free = true; /* the column after it */
    for (int i = 0; i < rows; i++)
        is_free = is_free && is_blank_at(area, row + i, col + cols);
    for (int i = 0; i < rows && is_free; i++)
        if (!is_blank_at(area, row + i, col + cols - 1)) {
            cols++;
            is_free = false;
        }
    for (int i = 0; i < rows; i++) {
        area_mark(area, row + i, col, cols, marks);
        put_bracket(area, row + i, col, "[", marks);
        put_bracket(area, row + i, col + cols - 1, "]", marks);
    }
}

void area_choose(struct area area, int row, int col, int cols)
{
    struct area part = area_part(area, row, col, 1, cols);
    area_mark(area, row, col, cols, MARK_REVERSE);
    for (int i = 0; part.rows > 0 && i < part.cols; i++) {
        struct canvas_look *look = &cell_at(part, 0, i)->look;
        *look = look_marked(STYLE_TITLE, look->marks);
    }
}

void area_fill(struct area area, struct canvas_look look)
{
    for (int row = 0; row < area.rows; row++)
        for (int col = 0; col < area.cols; col++)
            place(area, row, col, blank_of(look));
}

void area_rule_across(struct area area, int row, bool ascii)
{
    for (int col = 0; col < area.cols; col++)
        area_text(area, row, col, look_of(STYLE_QUIET), ascii ? "-" : "\xE2\x94\x80");
}

void area_rule_down(struct area area, int col, bool ascii)
{
    for (int row = 0; row < area.rows; row++)
        area_text(area, row, col, look_of(STYLE_QUIET), ascii ? "|" : "\xE2\x94\x82");
}

void area_cursor(struct area area, int row, int col)
{
    if (row < 0 || row >= area.rows || col < 0 || col >= area.cols)
        return;
    area.canvas->cursor_row = area.row + row;
    area.canvas->cursor_col = area.col + col;
}

void area_doc(struct area area, const struct doc *doc, size_t first, size_t first_col)
{
    size_t n_lines = doc_count_lines(doc);
    if (first_col > INT_MAX)
        return;
    for (int row = 0; row < area.rows && first < n_lines && (size_t)row < n_lines - first; row++) {
        struct pen pen = {.area = area, .row = row, .col = -(int64_t)first_col};
        const struct span *spans;
        size_t n_spans = doc_line_spans(doc, first + (size_t)row, &spans);
        for (size_t i = 0; i < n_spans && pen.col < area.cols; i++) {
            struct canvas_look look = {
                .style = (uint8_t)spans[i].style, .front = spans[i].front, .back = spans[i].back};
            write_text(&pen, look, doc->text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
        }
    }
}

static bool is_bare(const struct canvas_cell *cell)
{
    return strcmp(cell->bytes, " ") == 0 && cell->look.back == TINT_NONE;
}

static struct span span_of_look(struct canvas_look look)
{
    bool is_chosen = (look.marks & MARK_REVERSE) != 0;
    return (struct span){
        .style = is_chosen ? STYLE_TITLE : look.style, .front = look.front, .back = look.back};
}

static bool same_look(struct span a, struct span b)
{
    return a.style == b.style && a.front == b.front && a.back == b.back;
}

/* Columns [0, end) of a row: a span for each run of cells that look alike. */
static void put_cells(struct area area, int row, int end, struct doc *doc)
{
    struct text run = {0};
    for (int col = 0; col < end;) {
        struct span look = span_of_look(cell_at(area, row, col)->look);
        text_clear(&run);
        for (; col < end && same_look(look, span_of_look(cell_at(area, row, col)->look)); col++)
            text_put(&run, cell_at(area, row, col)->bytes);
        doc_put_span(doc, text_string(&run), run.size, look);
    }
    doc->failed = doc->failed || run.failed;
    text_release(&run);
}

static bool is_bare_part(struct area area)
{
    for (int row = 0; row < area.rows; row++)
        for (int col = 0; col < area.cols; col++)
            if (!is_bare(cell_at(area, row, col)))
                return false;
    return true;
}

struct area area_cropped(struct area area)
{
    while (area.rows > 0 && is_bare_part(area_part(area, 0, 0, 1, area.cols)))
        area = area_part(area, 1, 0, area.rows - 1, area.cols);
    while (area.rows > 0 && is_bare_part(area_part(area, area.rows - 1, 0, 1, area.cols)))
        area.rows--;
    while (area.cols > 0 && is_bare_part(area_part(area, 0, 0, area.rows, 1)))
        area = area_part(area, 0, 1, area.rows, area.cols - 1);
    while (area.cols > 0 && is_bare_part(area_part(area, 0, area.cols - 1, area.rows, 1)))
        area.cols--;
    return area;
}

void area_to_doc(struct area area, struct doc *doc)
{
    size_t n_empty = 0;
    for (int row = 0; row < area.rows; row++) {
        int end = area.cols;
        while (end > 0 && is_bare(cell_at(area, row, end - 1)))
            end--;
        if (end == 0) {
            n_empty++;
            continue;
        }
        for (; n_empty > 0; n_empty--)
            doc_end_line(doc);
        put_cells(area, row, end, doc);
        doc_end_line(doc);
    }
}

void area_typed_line(struct area area, const char *text, size_t size, size_t cursor, bool focused)
{
    struct area nowhere = area_part(area, 0, 0, 0, 0); /* only to count, as it will be drawn */
    int before = area_put(nowhere, 0, 0, look_of(STYLE_PLAIN), text, cursor);
    int moved = before >= area.cols ? before - area.cols + 1 : 0;
    area_put(area, 0, -moved, look_of(STYLE_PLAIN), text, size);
    if (focused)
        area_cursor(area, 0, before - moved);
}

/* Columns that a span takes on the canvas. */
static size_t span_cols(const struct doc *doc, const struct span *span)
{
    size_t cols = 0;
    for (size_t at = span->begin; at < span->end;) {
        struct glyph glyph = next_glyph(doc->text.bytes + at, span->end - at);
        cols += (size_t)glyph.cols;
        at += glyph.source_size;
    }
    return cols;
}

static bool same_cell(struct cell_ref a, struct cell_ref b)
{
    return a.tensor == b.tensor && a.position == b.position;
}

/* The cell takes its first span there, and those that follow it at once. */
bool doc_find_cell_in_line(const struct doc *doc, size_t line, struct cell_ref cell,
                           size_t *ret_col, size_t *ret_end)
{
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans), i = 0, col = 0;
    while (i < n_spans && !same_cell(spans[i].cell, cell))
        i++;
    if (i == n_spans) /* most lines: nothing of them is measured */
        return false;
    for (size_t before = 0; before < i; before++)
        col += span_cols(doc, &spans[before]);
    *ret_col = col;
    for (; i < n_spans && same_cell(spans[i].cell, cell); i++)
        col += span_cols(doc, &spans[i]);
    *ret_end = col;
    return true;
}

bool doc_find_cell(const struct doc *doc, struct cell_ref cell, size_t *ret_line, size_t *ret_col,
                   size_t *ret_end)
{
    size_t n_lines = cell.tensor != 0 ? doc_count_lines(doc) : 0, line = 0;
    while (line < n_lines && !doc_find_cell_in_line(doc, line, cell, ret_col, ret_end))
        line++;
    *ret_line = line < n_lines ? line : *ret_line;
    return line < n_lines;
}

bool doc_cell_at(const struct doc *doc, size_t line, size_t col, struct cell_ref *ret)
{
    if (line >= doc_count_lines(doc))
        return false;
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans), end = 0;
    for (size_t i = 0; i < n_spans; i++) {
        end += span_cols(doc, &spans[i]);
        if (col < end) {
            if (spans[i].cell.tensor != 0)
                *ret = spans[i].cell;
            return spans[i].cell.tensor != 0;
        }
    }
    return false;
}

struct area area_frame(struct area area, const char *title, bool ascii)
{
    static const char *const corners[2][4] = {
        {"\xE2\x94\x8C", "\xE2\x94\x90", "\xE2\x94\x94", "\xE2\x94\x98"}, {"+", "+", "+", "+"}};
    struct canvas_look look = look_of(STYLE_QUIET);
    int last_row = area.rows - 1, last_col = area.cols - 1;
    area_fill(area, look_of(STYLE_PLAIN));
    area_rule_across(area, 0, ascii);
    area_rule_across(area, last_row, ascii);
    area_rule_down(area, 0, ascii);
    area_rule_down(area, last_col, ascii);
    area_text(area, 0, 0, look, corners[ascii][0]);
    area_text(area, 0, last_col, look, corners[ascii][1]);
    area_text(area, last_row, 0, look, corners[ascii][2]);
    area_text(area, last_row, last_col, look, corners[ascii][3]);
    struct area top = area_part(area, 0, 2, 1, area.cols - 4);
    area_format(top, 0, 0, look_marked(STYLE_TITLE, MARK_BOLD), " %s ", title);
    return area_part(area, 1, 2, area.rows - 2, area.cols - 4);
}
