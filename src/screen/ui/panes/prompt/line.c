/* See line.h. */
#include "ui/panes/prompt/line.h"

#include <stdlib.h>
#include <string.h>

#include "ui/terminal/edit.h"

enum { CTRL_Y = 'Y' - '@', CTRL_UNDERSCORE = '_' - '@' };

/* ---- undo ---- */

static void forget_undo(struct line *line)
{
    while (line->n_undo > 0)
        free(line->undo[--line->n_undo].text);
    line->is_typing = false;
}

/* Before each change. Without memory this change can't be undone. */
static void remember(struct line *line)
{
    if (line->text.size > LINE_UNDO_BYTES) {
        forget_undo(line);
        return;
    }
    if (line->n_undo == LINE_UNDO_STEPS) {
        free(line->undo[0].text);
        memmove(line->undo, line->undo + 1, (LINE_UNDO_STEPS - 1) * sizeof *line->undo);
        line->n_undo--;
    }
    struct line_before *before = &line->undo[line->n_undo];
    before->cursor = line->cursor;
    before->text = strdup(text_string(&line->text));
    line->n_undo += before->text != NULL;
}

static void undo(struct line *line)
{
    line->is_typing = false;
    if (line->n_undo == 0)
        return;
    struct line_before before = line->undo[--line->n_undo];
    text_clear(&line->text);
    text_put(&line->text, before.text);
    line->cursor = before.cursor <= line->text.size ? before.cursor : line->text.size;
    free(before.text);
}

/* ---- changes ---- */

/* Replaces bytes [begin, end), completely or not at all, and puts the cursor after what is new. */
static void replace(struct line *line, size_t begin, size_t end, const char *bytes, size_t size)
{
    struct text *text = &line->text;
    size_t after = text->size - end;
    if (size > end - begin) {
        size_t before = text->size;
        text_repeat(text, " ", size - (end - begin));
        if (text->failed) {
            text_shrink(text, before);
            line->failed = true;
            return;
        }
    }
    if (text->bytes == NULL) /* nothing is replaced by nothing */
        return;
    memmove(text->bytes + begin + size, text->bytes + end, after);
    memcpy(text->bytes + begin, bytes, size);
    text_shrink(text, begin + size + after);
    line->cursor = begin + size;
}

void line_insert(struct line *line, const char *bytes, size_t size)
{
    if (!line->is_typing)
        remember(line);
    line->is_typing = true;
    replace(line, line->cursor, line->cursor, bytes, size);
}

void line_replace(struct line *line, size_t begin, const char *bytes, size_t size)
{
    remember(line);
    line->is_typing = false;
    replace(line, begin, line->cursor, bytes, size);
}

void line_set(struct line *line, const char *text, size_t cursor)
{
    forget_undo(line);
    text_clear(&line->text);
    text_put(&line->text, text);
    line->failed = line->text.failed;
    line->cursor = cursor <= line->text.size ? cursor : line->text.size;
}

void line_release(struct line *line)
{
    forget_undo(line);
    text_release(&line->text);
    text_release(&line->cut);
    line->cursor = 0;
    line->failed = false;
}

static void cut(struct line *line, const struct edit *edit)
{
    if (edit->begin == edit->end)
        return;
    if (edit->is_word_or_more) {
        text_clear(&line->cut);
        text_add(&line->cut, line->text.bytes + edit->begin, edit->end - edit->begin);
    }
    remember(line);
    line->is_typing = false;
    replace(line, edit->begin, edit->end, "", 0);
}

bool line_key(struct line *line, int key)
{
    if (key == CTRL_UNDERSCORE) {
        undo(line);
        return true;
    }
    if (key == CTRL_Y) {
        line_replace(line, line->cursor, text_string(&line->cut), line->cut.size);
        return true;
    }
    struct edit edit = edit_of_key(text_string(&line->text), line->text.size, line->cursor, key);
    if (edit.kind == EDIT_INSERT)
        line_insert(line, edit.inserted, edit.n_inserted);
    else if (edit.kind == EDIT_CUT)
        cut(line, &edit);
    else if (edit.kind == EDIT_MOVE)
        line->cursor = edit.begin;
    line->is_typing = edit.kind == EDIT_INSERT;
    return edit.kind != EDIT_NONE;
}
