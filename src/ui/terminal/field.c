/* See field.h. */
#include "ui/terminal/field.h"

#include <string.h>

#include "base/text.h"
#include "ui/terminal/input.h"

/* The start of the letter before a place: its marks belong to it. */
static size_t letter_before(const char *text, size_t size, size_t at)
{
    while (at > 0) {
        at--;
        while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
            at--;
        if (text_character(text + at, size - at).cols > 0)
            break;
    }
    return at;
}

static size_t letter_behind(const struct field *field, size_t at)
{
    if (at < field->size)
        at += text_character(field->text + at, field->size - at).size;
    while (at < field->size) {
        struct text_character mark = text_character(field->text + at, field->size - at);
        if (mark.cols > 0)
            break;
        at += mark.size;
    }
    return at;
}

static enum field_change cut_field(struct field *field, size_t begin, size_t end)
{
    if (begin == end)
        return FIELD_KEPT;
    memmove(field->text + begin, field->text + end, field->size - end + 1);
    field->size -= end - begin;
    field->cursor = begin;
    return FIELD_CHANGED;
}

static size_t word_before(const struct field *field)
{
    size_t at = field->cursor;
    while (at > 0 && field->text[at - 1] == ' ')
        at--;
    while (at > 0 && field->text[at - 1] != ' ')
        at--;
    return at;
}

static enum field_change type_character(struct field *field, int key)
{
    char bytes[KEY_BYTES];
    size_t size = key_bytes(key, bytes);
    if (key < ' ' || size == 0 || !text_character(bytes, size).printable)
        return FIELD_IGNORED;
    if (field->size + size >= FIELD_BYTES) /* full */
        return FIELD_KEPT;
    char *at = field->text + field->cursor;
    memmove(at + size, at, field->size - field->cursor + 1);
    memcpy(at, bytes, size);
    field->size += size;
    field->cursor += size;
    return FIELD_CHANGED;
}

static enum field_change move_in_field(struct field *field, size_t to)
{
    field->cursor = to;
    return FIELD_KEPT;
}

enum field_change field_key(struct field *field, int key)
{
    switch (key) {
    case KEYCODE_BACKSPACE:
    case 'H' - '@':
        return cut_field(field, letter_before(field->text, field->size, field->cursor),
                         field->cursor);
    case KEYCODE_DELETE:
        return cut_field(field, field->cursor, letter_behind(field, field->cursor));
    case 'U' - '@':
        return cut_field(field, 0, field->cursor);
    case 'W' - '@':
        return cut_field(field, word_before(field), field->cursor);
    case KEYCODE_LEFT:
        return move_in_field(field, letter_before(field->text, field->size, field->cursor));
    case KEYCODE_RIGHT:
        return move_in_field(field, letter_behind(field, field->cursor));
    case KEYCODE_HOME:
    case 'A' - '@':
        return move_in_field(field, 0);
    case KEYCODE_END:
    case 'E' - '@':
        return move_in_field(field, field->size);
    default:
        return type_character(field, key);
    }
}

void field_draw(const struct field *field, struct area area, const char *quiet, bool focused)
{
    int at = (int)text_width(field->text, field->cursor);
    int moved = at >= area.cols ? at - area.cols + 1 : 0;
    area_text(area, 0, -moved, look_of(STYLE_PLAIN), field->text);
    if (field->size == 0)
        area_text(area, 0, 0, look_of(STYLE_QUIET), quiet);
    if (focused)
        area_cursor(area, 0, at - moved);
}
