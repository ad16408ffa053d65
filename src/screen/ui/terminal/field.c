/* See field.h. */
#include "ui/terminal/field.h"

#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "ui/terminal/edit.h"

bool field_replace(struct field *field, size_t begin, const char *bytes, size_t size)
{
    size_t n_cut = field->cursor - begin;
    field->is_full = field->size - n_cut + size >= FIELD_BYTES;
    if (field->is_full)
        return false;
    memmove(field->text + begin + size, field->text + field->cursor,
            field->size - field->cursor + 1);
    memcpy(field->text + begin, bytes, size);
    field->size += size - n_cut;
    field->cursor = begin + size;
    field->is_chosen = false;
    return true;
}

void field_set(struct field *field, const char *text, size_t size)
{
    *field = (struct field){.is_full = size >= FIELD_BYTES};
    while (size >= FIELD_BYTES || (size > 0 && field->is_full && (text[size] & 0xC0) == 0x80))
        size = size >= FIELD_BYTES ? FIELD_BYTES - 1 : size - 1; /* letters stay whole */
    field->size = size;
    memcpy(field->text, text, field->size);
    field->cursor = field->size;
}

bool field_clear(struct field *field)
{
    if (field->size == 0 || field->is_chosen)
        return false;
    *field = (struct field){.size = 0};
    return true;
}

enum field_change field_key(struct field *field, int key)
{
    struct edit edit = edit_of_key(field->text, field->size, field->cursor, key);
    bool replaces = field->is_chosen && (edit.kind == EDIT_INSERT || edit.kind == EDIT_CUT);
    if (edit.kind != EDIT_NONE)
        field->is_chosen = field->is_full = false;
    if (replaces) {
        field->text[0] = '\0';
        field->size = field->cursor = 0;
        if (edit.kind == EDIT_CUT)
            return FIELD_CHANGED;
        edit = edit_of_key(field->text, field->size, field->cursor, key);
    }
    char *at = field->text + edit.begin;
    switch (edit.kind) {
    case EDIT_MOVE:
        field->cursor = edit.begin;
        return FIELD_KEPT;
    case EDIT_CUT:
        if (edit.begin == edit.end)
            return FIELD_KEPT;
        memmove(at, field->text + edit.end, field->size - edit.end + 1);
        field->size -= edit.end - edit.begin;
        field->cursor = edit.begin;
        return FIELD_CHANGED;
    case EDIT_INSERT:
        return field_replace(field, edit.begin, edit.inserted, edit.n_inserted) ? FIELD_CHANGED
                                                                                : FIELD_KEPT;
    case EDIT_NONE:
    default:
        return FIELD_IGNORED;
    }
}

/* The row that begins at byte `begin`: its end, and the begin of the next row. Words stay whole if
 * they fit; the last column is the cursor's. */
static size_t row_end(const struct field *field, size_t begin, size_t cols)
{
    size_t room = cols > 1 ? cols - 1 : 1;
    const char *text = field->text + begin;
    size_t size = field->size - begin, fits = text_fit(text, size, room);
    if (fits == size)
        return field->size;
    size_t at = text[fits] == ' ' ? fits + 1 : fits;
    while (at > 0 && text[at - 1] != ' ')
        at--;
    if (at == 0) /* one word */
        at = fits > 0 ? fits : text_character(text, size).size;
    return begin + at;
}

/* The row with the byte `at`, and the row's begin. The end of the text is in the last row. */
static size_t row_of(const struct field *field, size_t cols, size_t at, size_t *ret_begin)
{
    size_t row = 0, begin = 0, end;
    while ((end = row_end(field, begin, cols)) < field->size && end <= at) {
        begin = end;
        row++;
    }
    *ret_begin = begin;
    return row;
}

size_t field_rows(const struct field *field, size_t cols)
{
    size_t begin;
    return row_of(field, cols, field->size, &begin) + 1;
}

bool field_step_row(struct field *field, size_t cols, int by)
{
    size_t begin, to = 0;
    size_t row = row_of(field, cols, field->cursor, &begin);
    size_t col = text_width(field->text + begin, field->cursor - begin);
    if (by < 0 ? row == 0 : row + 1 >= field_rows(field, cols))
        return false;
    for (size_t i = 0; i < row + (size_t)by; i++)
        to = row_end(field, to, cols);
    size_t end = row_end(field, to, cols);
    size_t last = end < field->size ? end - 1 : end; /* the blank that the row ends with */
    size_t at = to + text_fit(field->text + to, last - to, col);
    field->cursor = at;
    return true;
}

static void draw_row(const struct field *field, struct area area, int row, enum style style,
                     size_t begin, size_t end, size_t mark, size_t mark_end)
{
    area_put(area, row, 0, look_of(style), field->text + begin, end - begin);
    size_t from = size_max(mark, begin), to = size_min(mark_end, end);
    if (from < to)
        area_mark(area, row, (int)text_width(field->text + begin, from - begin),
                  (int)text_width(field->text + from, to - from), MARK_UNDERLINE);
}

/* Says, over the end of a row, that no more can be typed. */
static void draw_full(const struct field *field, struct area area, int row)
{
    static const char full[] = " full: no more fits ";
    int cols = (int)sizeof full - 1;
    if (field->is_full)
        area_text(area, row, area.cols > cols ? area.cols - cols : 0,
                  look_marked(STYLE_NOTE, MARK_REVERSE), full);
}

void field_mark_wrapped(const struct field *field, struct area area, size_t begin, size_t end)
{
    size_t cols = area.cols > 0 ? (size_t)area.cols : 1, row_begin, at = 0;
    size_t cursor = row_of(field, cols, field->cursor, &row_begin);
    size_t rows = area.rows > 0 ? (size_t)area.rows : 1;
    size_t first = cursor >= rows ? cursor - rows + 1 : 0, n = field_rows(field, cols);
    for (size_t row = 0; row < n && row < first + rows && at < end; row++) {
        size_t stop = row_end(field, at, cols), from = size_max(begin, at),
               to = size_min(end, stop);
        if (row >= first && from < to)
            area_put(area, (int)(row - first), (int)text_width(field->text + at, from - at),
                     look_marked(STYLE_BAD, MARK_UNDERLINE), field->text + from, to - from);
        at = stop;
    }
}

void field_draw_wrapped(const struct field *field, struct area area, enum style style, size_t mark,
                        size_t mark_end, bool focused)
{
    size_t cols = area.cols > 0 ? (size_t)area.cols : 1, begin, at = 0;
    size_t cursor = row_of(field, cols, field->cursor, &begin);
    size_t rows = area.rows > 0 ? (size_t)area.rows : 1;
    size_t first = cursor >= rows ? cursor - rows + 1 : 0, n = field_rows(field, cols);
    for (size_t row = 0; row < n; row++) {
        size_t end = row_end(field, at, cols);
        if (row >= first && row - first < rows)
            draw_row(field, area, (int)(row - first), style, at, end, mark, mark_end);
        at = end;
    }
    draw_full(field, area, (int)size_min(n - first, rows) - 1);
    if (focused)
        area_cursor(area, (int)(cursor - first),
                    (int)text_width(field->text + begin, field->cursor - begin));
}

void field_draw(const struct field *field, struct area area, const char *quiet, bool focused)
{
    area_typed_line(area, field->text, field->size, field->cursor, focused);
    if (field->is_chosen)
        area_mark(area, 0, 0, (int)text_width(field->text, field->size), MARK_REVERSE);
    if (field->size == 0)
        area_text(area, 0, 0, look_of(STYLE_QUIET), quiet);
    draw_full(field, area, 0);
}
