/* See console.h. readline keeps the line; it reads its keys from a queue here and draws nothing by
 * itself. */
#include "ui/console.h"

#include <stdio.h> /* readline.h needs it first */

#include <readline/history.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>

#include "lang/lexer.h"
#include "ui/lines.h"

enum { QUEUE_BYTES = 64, PROMPT_MAX_COLS = 30 };

const struct binding console_bindings[] = {
    {KEY_ENTER_, REQ_OPEN, NULL, "runs the line"},
    {KEY_UP_, REQ_UP, NULL, "brings back the line before, as does Ctrl-R with a part of it"},
    {KEY_TAB_, REQ_NEXT_PANE, NULL, "completes a word; in an empty line, goes to the next pane"},
    {KEY_PAGE_UP, REQ_PAGE_UP, "scroll", "shows earlier lines of the transcript"},
    {KEY_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "shows later ones"},
    {KEY_ESCAPE, REQ_CLOSE, NULL, "leaves the prompt"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

/* readline calls back without an argument. */
static struct console *current;
static char queue[QUEUE_BYTES];
static size_t queue_begin, queue_end;

static int next_byte(FILE *stream)
{
    (void)stream;
    return queue_begin < queue_end ? (unsigned char)queue[queue_begin++] : EOF;
}

static int has_byte(void)
{
    return queue_begin < queue_end;
}

static void no_redisplay(void)
{
}

static void no_terminal(void)
{
}

static void no_terminal_meta(int meta)
{
    (void)meta;
}

/* A line was entered, or the input ended (Ctrl-D on an empty line). */
static void take_line(char *line)
{
    free(current->line);
    current->line = line != NULL ? line : strdup("quit");
}

/* The choices of a completion, in columns. */
static void show_choices(char **matches, int n, int longest)
{
    struct doc *choices = &current->choices;
    size_t width = tutor_session(current->tutor)->settings.width_cols;
    size_t each = (size_t)longest + 2, per_row = width > each ? width / each : 1;
    doc_clear(choices);
    for (int i = 1; i <= n; i++) {
        doc_add(choices, STYLE_NAME, "%-*s", (int)each, matches[i]);
        if ((size_t)i % per_row == 0 || i == n)
            doc_end_line(choices);
    }
}

bool console_init(struct console *console, struct tutor *tutor, struct error *reterr)
{
    char problem[512];
    FILE *nowhere = fopen("/dev/null", "r+");
    *console = (struct console){.tutor = tutor};
    doc_init(&console->transcript);
    doc_init(&console->choices);
    if (nowhere == NULL)
        return error_set(reterr, ERR_FILE, "the prompt: /dev/null can't be opened");
    current = console;
    queue_begin = queue_end = 0;
    rl_instream = rl_outstream = nowhere;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_prep_term_function = no_terminal_meta;
    rl_deprep_term_function = no_terminal;
    rl_redisplay_function = no_redisplay;
    rl_getc_function = next_byte;
    rl_input_available_hook = has_byte;
    rl_completion_display_matches_hook = show_choices;
    rl_completion_query_items = 0;
    rl_set_screen_size(CONSOLE_MAX_LINES, 1000);
    lines_open(tutor, NULL, problem);
    rl_variable_bind("enable-bracketed-paste", "off");
    rl_variable_bind("bell-style", "none");
    /* Escape and Enter in a hurry are no wish for vi's keys; ~/.inputrc can say that. */
    rl_unbind_function_in_map(rl_vi_editing_mode, emacs_meta_keymap);
    rl_callback_handler_install("", take_line);
    if (problem[0] != '\0')
        doc_wrap(&console->transcript, STYLE_NOTE, problem,
                 tutor_session(tutor)->settings.width_cols, 0);
    return true;
}

void console_release(struct console *console)
{
    if (current != console)
        return;
    rl_callback_handler_remove();
    fclose(rl_instream);
    rl_instream = rl_outstream = NULL;
    free(console->line);
    doc_release(&console->transcript);
    doc_release(&console->choices);
    text_release(&console->unfinished);
    current = NULL;
}

/* Keys. */

/* What terminals send for keys that are no characters, in the form that readline knows. */
static const char *sequence_of(int key)
{
    static const struct {
        int key;
        const char *bytes;
    } sequences[] = {
        {KEY_UP_, "\x1b[A"},     {KEY_DOWN_, "\x1b[B"}, {KEY_RIGHT_, "\x1b[C"},
        {KEY_LEFT_, "\x1b[D"},   {KEY_HOME_, "\x01"},   {KEY_END_, "\x05"},
        {KEY_DELETE, "\x1b[3~"}, {KEY_ENTER_, "\r"},    {KEY_BACKSPACE_, "\x7f"},
    };
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++)
        if (sequences[i].key == key)
            return sequences[i].bytes;
    return NULL;
}

static void put_bytes(const char *bytes, size_t size)
{
    if (queue_begin == queue_end)
        queue_begin = queue_end = 0;
    for (size_t i = 0; i < size && queue_end < QUEUE_BYTES; i++)
        queue[queue_end++] = bytes[i];
}

static void feed(void)
{
    while (has_byte() && current->line == NULL)
        rl_callback_read_char();
}

void console_key(struct console *console, int key)
{
    char bytes[KEY_BYTES];
    const char *sequence = sequence_of(key);
    doc_clear(&console->choices);
    console->scroll = 0;
    if ((key & KEY_ALT) != 0) {
        put_bytes("\x1b", 1);
        key &= ~KEY_ALT;
    }
    if (sequence != NULL)
        put_bytes(sequence, strlen(sequence));
    else
        put_bytes(bytes, key_bytes(key, bytes));
    feed();
}

/* True while brackets are open: then the next row belongs to the same line. */
static bool is_unfinished(const struct text *line)
{
    bool open = false;
    (void)lexer_line(text_string(line), line->size, &open);
    return open;
}

/* The arrows begin behind the newest line: readline began its next line before this one was added,
 * and would stand on it, with an undo list that is not its own. */
static void remember(const char *line)
{
    lines_remember(line);
    using_history();
}

char *console_take_line(struct console *console)
{
    if (console->line == NULL)
        return NULL;
    struct text *whole = &console->unfinished;
    text_put(whole, console->line);
    free(console->line);
    console->line = NULL;
    char *line = NULL;
    if (is_unfinished(whole)) {
        text_char(whole, '\n');
    } else {
        line = whole->failed ? NULL : strdup(text_string(whole));
        text_clear(whole);
    }
    if (line != NULL)
        remember(line);
    feed(); /* what was pasted behind it */
    return line;
}

void console_put(struct console *console, const char *text)
{
    (void)console;
    rl_insert_text(text);
}

bool console_is_empty(const struct console *console)
{
    return rl_end == 0 && console->unfinished.size == 0;
}

/* The transcript. */

/* Lets the oldest half go, so that this is seldom done. */
static void forget_oldest(struct console *console)
{
    struct doc *transcript = &console->transcript;
    if (transcript->n_lines <= CONSOLE_MAX_LINES)
        return;
    struct doc kept;
    doc_init(&kept);
    for (size_t i = transcript->n_lines - CONSOLE_MAX_LINES / 2; i < transcript->n_lines; i++) {
        const struct span *span;
        size_t n = doc_line_spans(transcript, i, &span);
        for (size_t k = 0; k < n; k++)
            doc_put_span(&kept, transcript->text.bytes + span[k].begin, span[k].end - span[k].begin,
                         span[k]);
        doc_end_line(&kept);
    }
    doc_release(transcript);
    *transcript = kept;
}

void console_echo(struct console *console, const char *line)
{
    struct text prompt = {0};
    tutor_prompt(console->tutor, &prompt);
    struct doc *transcript = &console->transcript;
    for (const char *row = line; *row != '\0';) {
        size_t size = strcspn(row, "\n");
        doc_add(transcript, STYLE_QUIET, "%s", row == line ? text_string(&prompt) : "  ... ");
        doc_put(transcript, STYLE_NAME, row, size);
        doc_end_line(transcript);
        row += size + (row[size] == '\n');
    }
    text_release(&prompt);
    console->scroll = 0;
}

void console_add(struct console *console, const struct doc *shown)
{
    doc_append(&console->transcript, shown, 0);
    console->transcript.failed = false;
    console->scroll = 0;
    forget_oldest(console);
}

void console_add_error(struct console *console, const struct error *error, const char *line)
{
    struct doc *transcript = &console->transcript;
    size_t width = tutor_session(console->tutor)->settings.width_cols;
    doc_wrap(transcript, STYLE_BAD, error->text, width, 0);
    if (error->end > error->begin && strchr(line, '\n') == NULL && error->end <= strlen(line)) {
        size_t col = text_width(line, error->begin);
        size_t cols = text_width(line + error->begin, error->end - error->begin);
        doc_line(transcript, STYLE_PLAIN, "  %s", line);
        doc_add(transcript, STYLE_BAD, "%*s", (int)col + 2, "");
        for (size_t i = 0; i < (cols > 0 ? cols : 1); i++)
            doc_put(transcript, STYLE_BAD, "^", 1);
        doc_end_line(transcript);
    }
    console->scroll = 0;
}

void console_scroll(struct console *console, int lines, int rows)
{
    size_t n = console->transcript.n_lines, seen = rows > 1 ? (size_t)rows - 1 : 1;
    size_t most = n > seen ? n - seen : 0;
    if (lines < 0)
        console->scroll = console->scroll > (size_t)-lines ? console->scroll - (size_t)-lines : 0;
    else
        console->scroll += (size_t)lines;
    if (console->scroll > most)
        console->scroll = most;
}

/* Drawing. */

/* The prompt with the line in it, moved left so far that the cursor is seen. */
static void draw_prompt(const struct console *console, struct area area, int row, bool focused)
{
    struct text prompt = {0};
    if (console->unfinished.size > 0)
        text_put(&prompt, "  ... ");
    else
        tutor_prompt(console->tutor, &prompt);
    size_t size = text_fit(text_string(&prompt), prompt.size, PROMPT_MAX_COLS);
    int col = area_put(area, row, 0, look_of(focused ? STYLE_TITLE : STYLE_QUIET),
                       text_string(&prompt), size);
    text_release(&prompt);
    struct area field = area_part(area, row, col, 1, area.cols - col);
    int before = (int)text_width(rl_line_buffer, (size_t)rl_point);
    int moved = before >= field.cols ? before - field.cols + 1 : 0;
    area_put(field, 0, -moved, look_of(STYLE_PLAIN), rl_line_buffer, (size_t)rl_end);
    if (focused)
        area_cursor(field, 0, before - moved);
}

void console_draw(const struct console *console, struct area area, bool focused, bool ascii)
{
    (void)ascii;
    if (area.rows < 1)
        return;
    const struct doc *transcript = &console->transcript;
    const struct doc *below = &console->choices;
    int prompt_row = area.rows - 1;
    int choice_rows = below->n_lines < (size_t)prompt_row ? (int)below->n_lines : prompt_row;
    int rows = prompt_row - choice_rows;
    size_t end = transcript->n_lines > console->scroll ? transcript->n_lines - console->scroll : 0;
    size_t first = end > (size_t)rows ? end - (size_t)rows : 0;
    area_doc(area_part(area, 0, 0, (int)(end - first), area.cols), transcript, first, 0);
    if ((int)(end - first) < rows)
        prompt_row = (int)(end - first) + choice_rows;
    area_doc(area_part(area, prompt_row - choice_rows, 0, choice_rows, area.cols), below, 0, 0);
    draw_prompt(console, area, prompt_row, focused);
}
