/* See field.h. */
#include "ui/terminal/field.h"

#include <string.h>

#include "ui/terminal/edit.h"

enum field_change field_key(struct field *field, int key)
{
    struct edit edit = edit_of_key(field->text, field->size, field->cursor, key);
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
        if (field->size + edit.n_inserted >= FIELD_BYTES) /* full */
            return FIELD_KEPT;
        memmove(at + edit.n_inserted, at, field->size - edit.begin + 1);
        memcpy(at, edit.inserted, edit.n_inserted);
        field->size += edit.n_inserted;
        field->cursor += edit.n_inserted;
        return FIELD_CHANGED;
    case EDIT_NONE:
    default:
        return FIELD_IGNORED;
    }
}

void field_draw(const struct field *field, struct area area, const char *quiet, bool focused)
{
    area_typed_line(area, field->text, field->size, field->cursor, focused);
    if (field->size == 0)
        area_text(area, 0, 0, look_of(STYLE_QUIET), quiet);
}
