/* See line.h. */
#include "ui/panes/prompt/line.h"

#include <stdlib.h>
#include <string.h>

#include "ui/panes/prompt/prompt_internal.h"
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

/* ---- rows ---- */

enum { LEVEL = 4 }; /* columns of indentation */

void line_row(const struct line *line, size_t *ret_begin, size_t *ret_end)
{
    const char *text = text_string(&line->text);
    size_t begin = line->cursor;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    *ret_begin = begin;
    *ret_end = line->cursor + strcspn(text + line->cursor, "\n");
}

bool line_step_row(struct line *line, int by)
{
    const char *text = text_string(&line->text);
    size_t begin, end, letters = line->cursor;
    line_row(line, &begin, &end);
    if (by < 0 ? begin == 0 : end == line->text.size)
        return false;
    letters -= begin;
    line->cursor = by < 0 ? begin - 1 : end + 1;
    line_row(line, &begin, &end);
    line->cursor = end - begin < letters ? end : begin + letters;
    while (line->cursor > begin && ((unsigned char)text[line->cursor] & 0xC0) == 0x80)
        line->cursor--;
    line->is_typing = false;
    return true;
}

static bool begins_with_word(const char *row, size_t size, const char *word)
{
    size_t n = strlen(word);
    return size >= n && memcmp(row, word, n) == 0 &&
           (size == n || row[n] == ' ' || row[n] == '\r' || row[n] == '(');
}

void line_break(struct line *line, bool indents)
{
    static const char *const ends[] = {"return", "pass", "break", "continue", "raise"};
    char rows[1 + 200] = "\n";
    size_t begin, end, last, cols;
    line_row(line, &begin, &end);
    const char *row = text_string(&line->text) + begin;
    for (last = line->cursor - begin; last > 0 && row[last - 1] == ' ';)
        last--;
    cols = strspn(row, " ");
    cols = cols < last ? cols : line->cursor - begin < cols ? line->cursor - begin : cols;
    if (last > 0 && row[last - 1] == ':')
        cols += LEVEL;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (cols >= LEVEL && last > cols && begins_with_word(row + cols, last - cols, ends[i])) {
            cols -= LEVEL;
            break;
        }
    if (!indents || cols > sizeof rows - 2)
        cols = 0;
    memset(rows + 1, ' ', cols);
    line_replace(line, line->cursor, rows, 1 + cols);
}

bool line_indent(struct line *line)
{
    size_t begin, end, n;
    line_row(line, &begin, &end);
    const char *row = text_string(&line->text) + begin;
    n = line->cursor - begin;
    if (strspn(row, " ") < n || memchr(text_string(&line->text), '\n', line->text.size) == NULL)
        return false;
    line_replace(line, line->cursor, "    ", LEVEL - n % LEVEL);
    return true;
}

/* The edit of a key within the cursor's row, or over its border. */
static struct edit edit_of(const struct line *line, int key)
{
    const char *text = text_string(&line->text);
    size_t begin, end;
    line_row(line, &begin, &end);
    bool cuts_back = key == KEYCODE_BACKSPACE || key == 'H' - '@';
    bool cuts_forth = key == KEYCODE_DELETE || key == 'D' - '@';
    bool back = cuts_back || key == KEYCODE_LEFT || key == 'B' - '@';
    bool forth = cuts_forth || key == KEYCODE_RIGHT || key == 'F' - '@';
    if (back && line->cursor == begin && begin > 0)
        return (struct edit){
            .kind = cuts_back ? EDIT_CUT : EDIT_MOVE, .begin = begin - 1, .end = begin};
    if (forth && line->cursor == end && end < line->text.size)
        return (struct edit){.kind = cuts_forth ? EDIT_CUT : EDIT_MOVE,
                             .begin = cuts_forth ? end : end + 1,
                             .end = end + 1};
    struct edit edit = edit_of_key(text + begin, end - begin, line->cursor - begin, key);
    edit.begin += begin;
    edit.end += begin;
    size_t n = line->cursor - begin;
    bool takes_level = cuts_back && begin > 0 && n > 0 && strspn(text + begin, " ") >= n;
    if (takes_level)
        edit.begin = line->cursor - (n - 1) % LEVEL - 1;
    return edit;
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
    struct edit edit = edit_of(line, key);
    if (edit.kind == EDIT_INSERT)
        line_insert(line, edit.inserted, edit.n_inserted);
    else if (edit.kind == EDIT_CUT)
        cut(line, &edit);
    else if (edit.kind == EDIT_MOVE)
        line->cursor = edit.begin;
    line->is_typing = edit.kind == EDIT_INSERT;
    return edit.kind != EDIT_NONE;
}
