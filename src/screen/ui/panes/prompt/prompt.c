/* See prompt.h. */
#include "ui/panes/prompt/prompt_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/size.h"
#include "files/file.h"
#include "lang/builtins/builtin.h"
#include "lang/syntax/lexer.h"
#include "ui/terminal/choices.h"
#include "ui/terminal/editor.h"

enum {
    CTRL_D = 'D' - '@',
    CTRL_G = 'G' - '@',
    CTRL_N = 'N' - '@',
    CTRL_P = 'P' - '@',
    CTRL_R = 'R' - '@',
    CTRL_X = 'X' - '@'
};
enum { EDITED_BYTES = 4 << 20 }; /* of a text from the editor */
enum { MORE_GAP = 16 };          /* columns between the prompt and what is said at its right */

static const struct binding prompt_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "run", "runs the line"},
    {KEYCODE_TAB, REQ_NEXT_PANE, "complete",
     "completes a word; in an empty line, goes to the next pane"},
    {KEYCODE_UP, REQ_UP, "earlier",
     "brings back the previous line, as does Ctrl-R with a part of it"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, "scroll", "shows earlier lines of the transcript"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "shows later ones"},
    {'O' - '@', REQ_FIND, "find",
     "finds words in the output, upwards; Enter goes there, then n and N to the place above "
     "and the one below, until Escape. While earlier lines are shown and nothing is typed, / does "
     "it too"},
    {'X' - '@', REQ_EDITOR, NULL, "opens the line, or block, in $VISUAL or $EDITOR"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "leave", "leaves the prompt; Up brings back the typed line"},
    {KEYCODE_F1, REQ_SEARCH_HELP, "help", "searches all help"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

void prompt_init(struct prompt *prompt, struct tutor *tutor)
{
    char problem[512];
    *prompt = (struct prompt){.tutor = tutor};
    doc_init(&prompt->transcript);
    history_open(&prompt->history, problem);
    prompt->shown = history_count();
    if (problem[0] != '\0')
        doc_wrap(&prompt->transcript, STYLE_NOTE, problem,
                 tutor_session(tutor)->settings.width_cols, 0);
}

void prompt_release(void *state)
{
    struct prompt *prompt = state;
    doc_release(&prompt->transcript);
    line_release(&prompt->line);
    completions_release(&prompt->choices);
    text_release(&prompt->wanted);
    text_release(&prompt->entered);
    shell_block_release(&prompt->block);
    text_release(&prompt->signature);
    free(prompt->own);
    prompt->own = NULL;
}

void prompt_resize(void *state, int rows, int cols)
{
    struct prompt *prompt = state;
    bool is_other = rows != prompt->rows || cols != prompt->cols;
    prompt->rows = rows;
    prompt->cols = cols;
    if (is_other && rows > 0)
        prompt_find_again(prompt);
}

static void forget_choices(struct prompt *prompt)
{
    text_clear(&prompt->choices.words);
    text_clear(&prompt->signature);
    prompt->choices.n = 0;
}

/* ---- the history ---- */

/* Shows entry `to`; history_count() is the learner's own line, which is kept meanwhile. */
static void show_entry(struct prompt *prompt, size_t to)
{
    struct line *line = &prompt->line;
    size_t n = history_count();
    if (to == prompt->shown || to > n)
        return;
    if (prompt->shown >= n) {
        free(prompt->own);
        prompt->own = strdup(text_string(&line->text));
    }
    prompt->shown = to;
    if (to < n)
        line_set(line, history_at(to), SIZE_MAX);
    else
        line_set(line, prompt->own != NULL ? prompt->own : "", SIZE_MAX);
}

/* ---- searching backwards, with ^R ---- */

/* The newest entry before `before` that holds what is wanted becomes the line, with the cursor
 * where it stands there. Else the line stays. */
static void search(struct prompt *prompt, size_t before)
{
    for (size_t i = before; i-- > 0;) {
        const char *entry = history_at(i), *at = strstr(entry, text_string(&prompt->wanted));
        if (at != NULL) {
            show_entry(prompt, i);
            line_set(&prompt->line, entry, (size_t)(at - entry));
            prompt->is_missing = false;
            return;
        }
    }
    prompt->is_missing = true;
}

/* A key while something is searched for. False where it ends the search and is then a key as any
 * other. */
static bool search_key(struct prompt *prompt, int key)
{
    char bytes[KEY_BYTES];
    size_t size = key_bytes(key, bytes);
    size_t end = prompt->shown < history_count() ? prompt->shown + 1 : history_count();
    if (key == CTRL_R) {
        search(prompt, prompt->shown);
    } else if (key == CTRL_G) {
        show_entry(prompt, prompt->search_begin);
        prompt->is_searching = false;
    } else if (key == KEYCODE_ESCAPE) {
        prompt->is_searching = false;
    } else if (key == KEYCODE_BACKSPACE || key == 'H' - '@') {
        size_t left = prompt->wanted.size;
        if (left > 0)
            left--;
        while (left > 0 && ((unsigned char)prompt->wanted.bytes[left] & 0xC0) == 0x80)
            left--;
        text_shrink(&prompt->wanted, left);
        search(prompt, history_count());
    } else if (key >= ' ' && (key & KEYCODE_ALT) == 0 && size > 0) {
        text_add(&prompt->wanted, bytes, size);
        search(prompt, end);
    } else {
        prompt->is_searching = false;
        return false;
    }
    return true;
}

/* ---- completing ---- */

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* What the function takes whose brackets the cursor is in: softmax in "f(softmax(x, ". */
static void find_call(struct prompt *prompt)
{
    const char *text = text_string(&prompt->line.text);
    size_t n_closed = 0;
    for (size_t end = prompt->line.cursor; end > 0; end--) {
        bool opens = text[end - 1] == '(';
        if (!opens || n_closed > 0) {
            n_closed += text[end - 1] == ')';
            n_closed -= opens;
            continue;
        }
        size_t begin = end - 1;
        while (begin > 0 && is_of_name(text[begin - 1]))
            begin--;
        const struct builtin *builtin = builtin_find(text + begin, end - 1 - begin);
        if (builtin != NULL) {
            builtin_signature(builtin, &prompt->signature);
            return;
        }
    }
}

/* The word before the cursor, now that it is whole: what its function takes. */
static void find_signature(struct prompt *prompt, size_t start)
{
    const struct line *line = &prompt->line;
    const struct builtin *builtin =
        builtin_find(text_string(&line->text) + start, line->cursor - start);
    if (builtin != NULL)
        builtin_signature(builtin, &prompt->signature);
}

static void complete_word(struct prompt *prompt)
{
    struct line *line = &prompt->line;
    struct completions *choices = &prompt->choices;
    completions_find(prompt->tutor, true, text_string(&line->text), line->cursor, choices);
    bool longer = choices->n_shared > line->cursor - choices->start;
    if (choices->n > 0 && (longer || choices->n == 1))
        line_replace(line, choices->start, text_string(&choices->words), choices->n_shared);
    bool whole = choices->n == 1;
    size_t start = choices->start;
    if (choices->n < 2 || longer)
        forget_choices(prompt);
    if (whole)
        find_signature(prompt, start);
}

/* ---- whole lines ---- */

static bool has_rows(const struct prompt *prompt)
{
    return strchr(text_string(&prompt->line.text), '\n') != NULL;
}

static void forget_lines(struct prompt *prompt)
{
    text_clear(&prompt->entered);
    line_set(&prompt->line, "", 0);
    prompt->is_searching = false;
    prompt->shown = history_count();
}

/* The line waits to be taken; all of it or nothing. */
static void enter(struct prompt *prompt, const struct shell_block *block)
{
    struct text *entered = &prompt->entered, code = {0};
    size_t before = entered->size;
    shell_block_write(block, &code);
    history_remember(&prompt->history, text_string(&code));
    text_put(entered, text_string(&prompt->line.text));
    text_char(entered, '\0');
    if (entered->failed)
        text_shrink(entered, before);
    text_release(&code);
    line_set(&prompt->line, "", 0);
    prompt->shown = history_count();
}

/* Enter: runs what is whole, and else begins another row. Within a block, and above its last row,
 * it always begins one. */
static void enter_row(struct prompt *prompt)
{
    struct line *line = &prompt->line;
    struct shell_block block = {0};
    size_t begin, end;
    if (line->failed) { /* a part would mean something else */
        forget_lines(prompt);
        return;
    }
    line_row(line, &begin, &end);
    shell_block_begin(&block, text_string(&line->text), line->text.size);
    if (block.is_open || end < line->text.size)
        line_break(line, !prompt->is_rushed);
    else
        enter(prompt, &block);
    shell_block_release(&block);
}

char *prompt_take_line(struct prompt *prompt)
{
    struct text *entered = &prompt->entered;
    const struct text *line = shell_block_next(&prompt->block);
    if (line == NULL && entered->size > 0) {
        size_t size = strlen(entered->bytes) + 1;
        shell_block_begin(&prompt->block, entered->bytes, size - 1);
        memmove(entered->bytes, entered->bytes + size, entered->size - size);
        text_shrink(entered, entered->size - size);
        line = shell_block_next(&prompt->block);
    }
    return line != NULL ? strdup(text_string(line)) : NULL;
}

/* ---- keys ---- */

static void take_key(struct prompt *prompt, int key)
{
    forget_choices(prompt);
    prompt_return_to_end(prompt);
    if (prompt->is_searching && search_key(prompt, key))
        return;
    switch (key) {
    case KEYCODE_ENTER:
    case '\n':
        enter_row(prompt);
        return;
    case KEYCODE_TAB:
        if (!line_indent(&prompt->line))
            complete_word(prompt);
        return;
    case KEYCODE_UP:
    case CTRL_P:
        if (line_step_row(&prompt->line, -1))
            return;
        show_entry(prompt, prompt->shown > 0 ? prompt->shown - 1 : 0);
        return;
    case KEYCODE_DOWN:
    case CTRL_N:
        if (line_step_row(&prompt->line, 1))
            return;
        show_entry(prompt, prompt->shown + 1);
        return;
    case '<' | KEYCODE_ALT:
        show_entry(prompt, 0);
        return;
    case '>' | KEYCODE_ALT:
        show_entry(prompt, history_count());
        return;
    case CTRL_X:
        prompt->wants_editor = true;
        return;
    case CTRL_R:
        prompt->is_searching = true;
        prompt->is_missing = false;
        prompt->search_begin = prompt->shown;
        text_clear(&prompt->wanted);
        return;
    case CTRL_D:
        if (prompt->line.text.size == 0) { /* the end of the input */
            forget_lines(prompt);
            line_set(&prompt->line, "quit", SIZE_MAX);
            enter_row(prompt);
            return;
        }
        break;
    default:
        break;
    }
    (void)line_key(&prompt->line, key);
}

void prompt_key(struct prompt *prompt, int key)
{
    take_key(prompt, key);
    if (prompt->signature.size == 0 && prompt->choices.n == 0 && !prompt->is_searching)
        find_call(prompt);
}

/* A paste ended with Enter: what is whole runs, and a block that could go on waits for an empty
 * row.
 */
static void end_paste(struct prompt *prompt)
{
    struct line *line = &prompt->line;
    struct shell_block block = {0};
    if (line->failed || line->cursor != line->text.size || line->text.size == 0) {
        enter_row(prompt);
        return;
    }
    shell_block_begin(&block, line->text.bytes, line->text.size - 1);
    if (!block.is_open) {
        text_shrink(&line->text, line->text.size - 1);
        line->cursor = line->text.size;
        enter(prompt, &block);
    }
    shell_block_release(&block);
}

void prompt_paste(void *state, int key)
{
    struct prompt *prompt = state;
    char bytes[KEY_BYTES];
    bool ends_row = key == KEYCODE_ENTER, ended_row = prompt->pasted_row;
    if (key == KEYCODE_TAB)
        key = ' ';
    if (find_types(&prompt->find) || prompt->is_searching) {
        key = ends_row ? ' ' : key;
        if (key == KEYCODE_PASTE_END)
            return;
        if (prompt->is_searching)
            prompt_key(prompt, key);
        else
            (void)prompt_find_key(prompt, key);
        return;
    }
    find_close(&prompt->find);
    forget_choices(prompt);
    prompt_return_to_end(prompt);
    prompt->pasted_row = ends_row;
    if (key == KEYCODE_PASTE_END && ended_row) {
        end_paste(prompt);
        return;
    }
    if (ends_row) {
        line_insert(&prompt->line, "\n", 1);
        return;
    }
    size_t size = key_bytes(key, bytes);
    if (key >= ' ' && key != KEYCODE_BACKSPACE && size > 0)
        line_insert(&prompt->line, bytes, size);
}

/* A line that is left goes to the history, so that the next one begins empty. */
static void put_away(struct prompt *prompt)
{
    forget_choices(prompt);
    if (has_rows(prompt) || prompt->line.text.size == 0)
        return;
    history_remember(&prompt->history, text_string(&prompt->line.text));
    forget_lines(prompt);
}

bool prompt_give_up(struct prompt *prompt)
{
    if (prompt_is_empty(prompt) && !prompt->is_searching)
        return false;
    forget_choices(prompt);
    prompt_return_to_end(prompt);
    forget_lines(prompt);
    return true;
}

void prompt_put(struct prompt *prompt, const char *text)
{
    prompt->is_searching = false;
    find_close(&prompt->find);
    line_insert(&prompt->line, text, strlen(text));
}

/* ---- the transcript ---- */

/* Lets the oldest half go, so that this is seldom done. */
static void forget_oldest(struct prompt *prompt)
{
    struct doc *transcript = &prompt->transcript, kept;
    size_t first = transcript->n_lines / 2;
    doc_init(&kept);
    for (size_t i = first; i < transcript->n_lines; i++) {
        const struct span *span;
        size_t n = doc_line_spans(transcript, i, &span);
        for (size_t k = 0; k < n; k++)
            doc_put_span(&kept, transcript->text.bytes + span[k].begin, span[k].end - span[k].begin,
                         span[k]);
        doc_end_line(&kept);
    }
    doc_release(transcript);
    *transcript = kept;
    prompt->n_rested = prompt->n_rested > first ? prompt->n_rested - first : 0;
}

/* After each addition. Where memory ended, what is new is incomplete; what comes next need not
 * be. */
static void settle(struct prompt *prompt)
{
    struct doc *transcript = &prompt->transcript;
    if (transcript->n_lines > PROMPT_MAX_LINES || transcript->failed)
        forget_oldest(prompt);
    transcript->failed = transcript->text.failed = false;
    find_close(&prompt->find);
    prompt_return_to_end(prompt);
}

void prompt_echo(struct prompt *prompt, const char *line)
{
    struct text before = {0};
    tutor_prompt(prompt->tutor, &before);
    struct doc *transcript = &prompt->transcript;
    for (const char *row = line; *row != '\0';) {
        size_t size = strcspn(row, "\n");
        doc_add(transcript, STYLE_QUIET, "%s", row == line ? text_string(&before) : "  ... ");
        doc_put(transcript, STYLE_NAME, row, size);
        doc_end_line(transcript);
        row += size + (row[size] == '\n');
    }
    text_release(&before);
    settle(prompt);
}

void prompt_add(struct prompt *prompt, const struct doc *shown)
{
    doc_append(&prompt->transcript, shown, 0);
    settle(prompt);
}

void prompt_add_error(struct prompt *prompt, const struct error *error, const char *line)
{
    struct doc *transcript = &prompt->transcript;
    size_t width = tutor_session(prompt->tutor)->settings.width_cols;
    struct text text = {0};
    if (shell_block_has_lines(&prompt->block))
        text_format(&text, "line %zu: ", prompt->block.row);
    text_put(&text, error->text);
    doc_wrap(transcript, STYLE_BAD, text_string(&text), width, 0);
    text_release(&text);
    if (error->end > error->begin && strchr(line, '\n') == NULL && error->end <= strlen(line)) {
        size_t col = text_width(line, error->begin);
        size_t cols = text_width(line + error->begin, error->end - error->begin);
        doc_line(transcript, STYLE_PLAIN, "  %s", line);
        doc_add(transcript, STYLE_BAD, "%*s", (int)col + 2, "");
        for (size_t i = 0; i < (cols > 0 ? cols : 1); i++)
            doc_put(transcript, STYLE_BAD, "^", 1);
        doc_end_line(transcript);
    }
    settle(prompt);
}

void prompt_rest(struct prompt *prompt)
{
    prompt_return_to_end(prompt);
    prompt->n_rested = prompt->transcript.n_lines;
}

size_t prompt_end_line(struct prompt *prompt, bool ok)
{
    struct shell_block *block = &prompt->block;
    struct text says = {0};
    size_t before = prompt->transcript.n_lines;
    bool goes_on = ok || tutor_session(prompt->tutor)->lacked;
    if (!ok && goes_on)
        shell_block_pass(block);
    if (goes_on && !shell_block_is_over(block))
        return 0;
    if (goes_on)
        (void)shell_block_next(block); /* the last line has run */
    else
        shell_block_stop(block);
    shell_block_tell(block, &says);
    if (says.size > 0)
        doc_wrap(&prompt->transcript, STYLE_QUIET, text_string(&says),
                 tutor_session(prompt->tutor)->settings.width_cols, 0);
    text_release(&says);
    shell_block_release(block);
    settle(prompt);
    return prompt->transcript.n_lines - before;
}

/* ---- drawing ---- */

/* At the right of an empty line, while earlier lines are seen. */
static void draw_way_on(struct area row, int col)
{
    static const char *const notes[] = {"PgDn: more  /: find", "PgDn: more"};
    for (size_t i = 0; i < COUNT_OF(notes); i++) {
        int note = row.cols - (int)strlen(notes[i]);
        if (note >= col + MORE_GAP) {
            area_text(row, 0, note, look_of(STYLE_NOTE), notes[i]);
            return;
        }
    }
}

/* Python's words, for the colours of a block. */
static bool is_keyword(const char *word, size_t size)
{
    static const char *const words[] = {
        "and",    "as",     "assert", "break",   "class",    "continue", "def",    "del",  "elif",
        "else",   "except", "False",  "finally", "for",      "from",     "global", "if",   "import",
        "in",     "is",     "lambda", "None",    "nonlocal", "not",      "or",     "pass", "raise",
        "return", "True",   "try",    "while",   "with",     "yield"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strlen(words[i]) == size && memcmp(words[i], word, size) == 0)
            return true;
    return false;
}

/* The size of the piece of a row that has one colour, and its style. A text in quotes that goes on
 * in the next row is not known there. */
static size_t next_piece(const char *row, size_t size, enum style *ret)
{
    size_t n = 1;
    *ret = STYLE_PLAIN;
    if (row[0] == '#') {
        *ret = STYLE_QUIET;
        return size;
    }
    if (row[0] == '"' || row[0] == '\'') {
        *ret = STYLE_NOTE;
        while (n < size && row[n] != row[0])
            n += row[n] == '\\' && n + 1 < size ? 2 : 1;
        return n < size ? n + 1 : size;
    }
    if (!is_of_name(row[0]))
        return n;
    while (n < size && is_of_name(row[n]))
        n++;
    if (is_keyword(row, n))
        *ret = STYLE_NAME;
    return n;
}

/* A row of a block in colours, moved left so far that the cursor is seen; cursor SIZE_MAX: it is in
 * another row. */
static void draw_row(struct area area, const char *row, size_t size, size_t cursor, bool focused)
{
    size_t upto = cursor <= size ? text_width(row, cursor) : 0;
    int before = upto < CANVAS_MAX_ROWS * 8 ? (int)upto : 0, col = 0;
    int moved = before >= area.cols ? before - area.cols + 1 : 0;
    for (size_t at = 0, n; at < size; at += n) {
        enum style style;
        n = next_piece(row + at, size - at, &style);
        col += area_put(area, 0, col - moved, look_of(style), row + at, n) - (col - moved);
    }
    if (focused && cursor <= size)
        area_cursor(area, 0, before - moved);
}

size_t prompt_line_rows(const struct prompt *prompt)
{
    size_t n = 1;
    const struct text *text = &prompt->line.text;
    const char *at = text_string(text), *end = at + text->size;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at++;
        n++;
    }
    return find_is_open(&prompt->find) ? 1 : n;
}

/* Says at the right of the last, empty row of a block what ends it. */
static void draw_end_of_block(struct area row, int col)
{
    static const char *const notes[] = {"Enter: run it  ^X: editor  ^C: give up", "Enter: run it"};
    for (size_t i = 0; i < COUNT_OF(notes); i++) {
        int note = row.cols - (int)strlen(notes[i]);
        if (note >= col + MORE_GAP) {
            area_text(row, 0, note, look_of(STYLE_NOTE), notes[i]);
            return;
        }
    }
}

/* Whether Enter at its end begins another row. */
static bool is_open(const struct line *line)
{
    struct shell_block block = {0};
    shell_block_begin(&block, text_string(&line->text), line->text.size);
    bool open = block.is_open;
    shell_block_release(&block);
    return open;
}

/* The rows of a block, of which those are seen that are around the cursor. */
static void draw_block(const struct prompt *prompt, struct area area, const char *words,
                       bool focused)
{
    const struct line *line = &prompt->line;
    const char *text = text_string(&line->text), *row = text;
    size_t n_above = 0, n = prompt_line_rows(prompt), first;
    for (size_t i = 0; i < line->cursor; i++)
        n_above += text[i] == '\n';
    first = n_above + 1 > (size_t)area.rows ? n_above + 1 - (size_t)area.rows : 0;
    for (size_t i = 0; i < n; i++) {
        size_t size = strcspn(row, "\n"), begin = (size_t)(row - text);
        if (i >= first && i - first < (size_t)area.rows) {
            int at = (int)(i - first);
            size_t cursor = i == n_above ? line->cursor - begin : SIZE_MAX;
            int col = area_text(area, at, 0, look_of(focused ? STYLE_TITLE : STYLE_QUIET),
                                i == 0 ? words : "  ... ");
            draw_row(area_part(area, at, col, 1, area.cols - col), row, size, cursor, focused);
            if (i + 1 == n && text_is_blank(row, size) && focused && !is_open(line))
                draw_end_of_block(area_part(area, at, 0, 1, area.cols), col + (int)size);
        }
        row += size + (row[size] == '\n');
    }
}

/* The prompt with the line in it, moved left so far that the cursor is seen. */
static void draw_prompt(const struct prompt *prompt, struct area area, bool focused)
{
    if (find_is_open(&prompt->find)) {
        find_draw(&prompt->find, area_part(area, 0, 0, 1, area.cols), "words of the output", "",
                  "not found", focused);
        return;
    }
    const struct line *line = &prompt->line;
    struct text words = {0};
    if (prompt->is_searching)
        text_format(&words, "(%sreverse-i-search)`%s': ", prompt->is_missing ? "failed " : "",
                    text_string(&prompt->wanted));
    else
        tutor_prompt(prompt->tutor, &words);
    size_t size = text_fit(text_string(&words), words.size, (size_t)area.cols / 2);
    text_shrink(&words, size);
    if (has_rows(prompt)) {
        draw_block(prompt, area, text_string(&words), focused);
        text_release(&words);
        return;
    }
    int col = area_put(area, 0, 0, look_of(focused ? STYLE_TITLE : STYLE_QUIET),
                       text_string(&words), size);
    text_release(&words);
    area_typed_line(area_part(area, 0, col, 1, area.cols - col), text_string(&line->text),
                    line->text.size, line->cursor, focused);
    if (line->text.size == 0 && !prompt_sees_end(prompt, (size_t)area.cols))
        draw_way_on(area_part(area, 0, 0, 1, area.cols), col);
}

/* What the function that was completed takes; to be released. */
static struct doc show_signature(const struct prompt *prompt, int cols)
{
    struct doc signature;
    doc_init(&signature);
    if (prompt->signature.size > 0)
        doc_wrap(&signature, STYLE_QUIET, text_string(&prompt->signature), (size_t)cols, 0);
    return signature;
}

void prompt_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct prompt *prompt = state;
    (void)ascii;
    if (area.rows < 1)
        return;
    int own = (int)size_min(prompt_line_rows(prompt), (size_t)area.rows);
    int choice_rows = choices_rows(&prompt->choices, area.rows - own, area.cols);
    struct doc signature = show_signature(prompt, area.cols);
    int free = area.rows - own - choice_rows;
    int below = signature.n_lines < (size_t)free ? (int)signature.n_lines : free;
    int row = prompt_draw_transcript(prompt, area_part(area, 0, 0, free - below, area.cols));
    area_doc(area_part(area, row, 0, below, area.cols), &signature, 0, 0);
    row += below;
    choices_draw(&prompt->choices, area_part(area, row, 0, choice_rows, area.cols));
    draw_prompt(prompt, area_part(area, row + choice_rows, 0, own, area.cols), focused);
    doc_release(&signature);
}

/* ---- the prompt as a pane ---- */

static bool cancel(void *state)
{
    return find_close(&((struct prompt *)state)->find);
}

/* It takes every key but those that leave it. */
static bool pane_key(void *state, int key)
{
    struct prompt *prompt = state;
    if (find_is_open(&prompt->find)) {
        if (prompt_find_key(prompt, key))
            return true;
    } else if (prompt_opens_find(prompt, key)) {
        forget_choices(prompt);
        prompt_open_find(prompt);
        return true;
    }
    switch (key) {
    case KEYCODE_CTRL_C:
        return prompt_give_up(prompt);
    case KEYCODE_PAGE_UP:
        prompt_scroll(prompt, prompt->rows > 1 ? prompt->rows - 1 : 1);
        return true;
    case KEYCODE_PAGE_DOWN:
        prompt_scroll(prompt, 1 - prompt->rows);
        return true;
    case KEYCODE_F1:
    case KEYCODE_BACK_TAB:
        return false;
    case KEYCODE_ESCAPE:
        if (!prompt->is_searching) {
            put_away(prompt);
            return false;
        }
        prompt_key(prompt, key); /* which ends the search */
        return true;
    default:
        if (key == KEYCODE_TAB && prompt_is_empty(prompt))
            return false;
        prompt_key(prompt, key);
        return true;
    }
}

static const struct binding *bindings_now(const void *state)
{
    const struct prompt *prompt = state;
    return find_is_open(&prompt->find) ? find_bindings(&prompt->find) : prompt_bindings;
}

/* Its line, what was printed since it rested, and what Tab shows. */
static int rows_wanted(void *state, int cols)
{
    const struct prompt *prompt = state;
    if (cols <= 0)
        return 1;
    int choice_rows = choices_rows(&prompt->choices, CANVAS_MAX_ROWS, cols);
    struct doc signature = show_signature(prompt, cols);
    size_t rows = prompt_count_rows(prompt, (size_t)cols) + signature.n_lines;
    doc_release(&signature);
    rows += prompt_line_rows(prompt);
    return (int)size_min(rows, CANVAS_MAX_ROWS) + choice_rows;
}

static void pane_wheel(void *state, int steps)
{
    prompt_scroll(state, -steps);
}

static void say(struct prompt *prompt, const char *text)
{
    doc_wrap(&prompt->transcript, STYLE_BAD, text,
             tutor_session(prompt->tutor)->settings.width_cols, 0);
    settle(prompt);
}

/* Takes the rows of the file that the editor has left. */
static void take_file(struct prompt *prompt, const char *path)
{
    struct text text = {0}, why = {0};
    struct error error = {0};
    if (!editor_run(path, &why)) {
        say(prompt, text_string(&why));
    } else if (file_read_text(path, EDITED_BYTES, &text, &error)) {
        while (text.size > 0 && text.bytes[text.size - 1] == '\n')
            text_shrink(&text, text.size - 1);
        line_set(&prompt->line, text_string(&text), SIZE_MAX);
    } else {
        say(prompt, error.text);
    }
    text_release(&text);
    text_release(&why);
}

/* Without the screen: the learner's editor on a file of the line's rows. */
static void edit_outside(void *state)
{
    struct prompt *prompt = state;
    struct text path = {0};
    const char *folder = getenv("TMPDIR");
    text_format(&path, "%s/attn-line-XXXXXX", folder != NULL && folder[0] == '/' ? folder : "/tmp");
    int fd = path.failed ? -1 : mkstemp(path.bytes);
    if (fd < 0) {
        say(prompt, "No file can be made for the editor; set TMPDIR to a folder of yours.");
    } else {
        const struct text *rows = &prompt->line.text;
        bool ok = file_write_all(fd, text_string(rows), rows->size) && file_write_all(fd, "\n", 1);
        if (close(fd) == 0 && ok)
            take_file(prompt, text_string(&path));
        else
            say(prompt, "The file for the editor can't be written; is the disk full?");
        unlink(text_string(&path));
    }
    text_release(&path);
}

/* The next line that was entered; it stands in the transcript then. */
static bool pane_take_request(void *state, struct pane_request *ret)
{
    struct prompt *prompt = state;
    if (prompt->wants_editor) {
        prompt->wants_editor = false;
        *ret = (struct pane_request){.kind = PANE_RUN_OUTSIDE, .run = edit_outside};
        return true;
    }
    char *line = prompt_take_line(prompt);
    if (line == NULL)
        return false;
    prompt_echo(prompt, line);
    *ret = (struct pane_request){.kind = PANE_WANTS_NOTHING};
    pane_request_set(ret, PANE_RUN_LINE, line);
    free(line);
    return true;
}

const struct pane_ops prompt_ops = {
    .title = "Prompt",
    .bindings = prompt_bindings,
    .bindings_now = bindings_now,
    .always_types = true,
    .clear = prompt_clear_find,
    .cancel = cancel,
    .key = pane_key,
    .wheel = pane_wheel,
    .paste = prompt_paste,
    .resize = prompt_resize,
    .draw = prompt_draw,
    .rows_wanted = rows_wanted,
    .take_request = pane_take_request,
    .release = prompt_release,
};
