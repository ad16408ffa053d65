/* See console.h. readline keeps the line; it reads its keys from a queue here and draws nothing by
 * itself. */
#include "ui/panes/prompt/prompt.h"

#include <stdio.h> /* readline.h needs it first */

#include <readline/history.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/syntax/lexer.h"
#include "ui/panes/prompt/lines.h"

enum { QUEUE_BYTES = 4096, MAX_MACROS = 100, MAX_COUNT = 1000 };

const struct binding console_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "run", "runs the line"},
    {KEYCODE_TAB, REQ_NEXT_PANE, "complete",
     "completes a word; in an empty line, goes to the next pane"},
    {KEYCODE_UP, REQ_UP, "earlier",
     "brings back the line before, as does Ctrl-R with a part of it"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, "scroll", "shows earlier lines of the transcript"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "shows later ones"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "leave", "leaves the prompt"},
    {KEYCODE_F1, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* readline calls back without an argument. */
static struct console *current;
static char queue[QUEUE_BYTES];
static size_t queue_begin, queue_end;

static unsigned n_macros; /* played since the last key */
static bool is_asked;     /* readline for what it has put back; the queue is not meant */

static void put_bytes(const char *bytes, size_t size)
{
    if (queue_begin == queue_end)
        queue_begin = queue_end = 0;
    for (size_t i = 0; i < size && queue_end < QUEUE_BYTES; i++)
        queue[queue_end++] = bytes[i];
}

/* Before what waits already. */
static void put_bytes_first(const char *bytes, size_t size)
{
    size_t waiting = queue_end - queue_begin;
    if (size > QUEUE_BYTES - waiting)
        return;
    memmove(queue + size, queue + queue_begin, waiting);
    memcpy(queue, bytes, size);
    queue_begin = 0;
    queue_end = size + waiting;
}

static int has_byte(void)
{
    return queue_begin < queue_end;
}

/* Where readline asks for more than there is, the end of the input would end the program. What it
 * gets instead is set-mark where that means anything, and ends what waits for a character. */
static int next_byte(FILE *stream)
{
    enum { SET_MARK = 0, ABORT = 'G' - '@' };
    (void)stream;
    if (is_asked) {
        is_asked = false;
        return SET_MARK;
    }
    if (has_byte())
        return (unsigned char)queue[queue_begin++];
    return RL_ISSTATE(RL_STATE_READCMD) ? SET_MARK : ABORT;
}

/* What a macro types. */
static void take_macro(void)
{
    if (!RL_ISSTATE(RL_STATE_MACROINPUT) || rl_executing_macro == NULL)
        return;
    if (n_macros++ < MAX_MACROS) /* one may play itself */
        put_bytes_first(rl_executing_macro, strlen(rl_executing_macro));
    rl_executing_macro[0] = '\0';
}

/* Called behind each command, to draw its line, which is done elsewhere. What readline would go on
 * with by itself, a macro's keys and those behind a search that it has put back, goes the way of
 * other keys instead: readline takes them all in one call, and one that has no meaning then makes
 * it jump into a function that has returned already (8.2, with callbacks only). */
static void take_keys(void)
{
    char bytes[64];
    size_t n = 0;
    take_macro();
    while (n < sizeof bytes) {
        is_asked = true;
        int byte = rl_read_key();
        if (!is_asked)
            break; /* it had none, and asked for one */
        bytes[n++] = (char)byte;
    }
    is_asked = false;
    put_bytes_first(bytes, n);
}

static void no_terminal(void)
{
}

static void no_terminal_meta(int meta)
{
    (void)meta;
}

/* Adds one to strings with a NUL behind each; all of it or nothing. */
static bool add_string(struct text *strings, const char *string)
{
    size_t before = strings->size;
    text_put(strings, string);
    text_char(strings, '\0');
    bool ok = !strings->failed;
    if (!ok)
        text_shrink(strings, before);
    return ok;
}

/* A row was entered, or the input ended (Ctrl-D on an empty one). A key may enter several rows,
 * where ~/.inputrc gives it so much to type. */
static void take_row(char *row)
{
    if (row == NULL)
        text_clear(&current->unfinished);
    (void)add_string(&current->entered, row != NULL ? row : "quit");
    free(row);
}

/* Of a path, readline wants its last part to be seen. */
static void keep_choices(char **matches, int n, int longest)
{
    (void)longest;
    text_clear(&current->choices);
    current->n_choices = 0;
    for (int i = 1; i <= n; i++) {
        const char *slash = rl_filename_completion_desired ? strrchr(matches[i], '/') : NULL;
        current->n_choices += add_string(
            &current->choices, slash != NULL && slash[1] != '\0' ? slash + 1 : matches[i]);
    }
}

bool console_init(struct console *console, struct tutor *tutor, struct error *reterr)
{
    char problem[512];
    FILE *nowhere = fopen("/dev/null", "r+");
    *console = (struct console){.tutor = tutor};
    doc_init(&console->transcript);
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
    rl_redisplay_function = take_keys;
    rl_getc_function = next_byte;
    rl_input_available_hook = has_byte;
    rl_completion_display_matches_hook = keep_choices;
    rl_completion_query_items = 0;
    rl_set_screen_size(CONSOLE_MAX_LINES, 1000);
    lines_open(tutor, NULL, problem);
    rl_variable_bind("enable-bracketed-paste", "off");
    rl_variable_bind("bell-style", "none");
    /* Escape and Enter in a hurry are no wish for vi's keys; ~/.inputrc can say that. */
    rl_unbind_function_in_map(rl_vi_editing_mode, emacs_meta_keymap);
    rl_callback_handler_install("", take_row);
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
    doc_release(&console->transcript);
    text_release(&console->entered);
    text_release(&console->unfinished);
    text_release(&console->choices);
    current = NULL;
}

void console_resize(struct console *console, int rows, int cols)
{
    console->rows = rows;
    console->cols = cols;
}

/* Keys. */

/* What terminals send for keys that are no characters, in the form that readline knows. */
static const char *sequence_of(int key)
{
    static const struct {
        int key;
        const char *bytes;
    } sequences[] = {
        {KEYCODE_UP, "\x1b[A"},      {KEYCODE_DOWN, "\x1b[B"}, {KEYCODE_RIGHT, "\x1b[C"},
        {KEYCODE_LEFT, "\x1b[D"},    {KEYCODE_HOME, "\x1b[H"}, {KEYCODE_END, "\x1b[F"},
        {KEYCODE_DELETE, "\x1b[3~"}, {KEYCODE_ENTER, "\r"},    {KEYCODE_BACKSPACE, "\x7f"},
    };
    for (size_t i = 0; i < COUNT_OF(sequences); i++)
        if (sequences[i].key == key)
            return sequences[i].bytes;
    return NULL;
}

/* Some of vi's commands leave NULs or parts of characters in the line, and others then look for its
 * end forever. Only whole characters before the first NUL stay. */
static void mend_line(void)
{
    size_t size = strlen(rl_line_buffer), kept = 0;
    for (size_t at = 0; at < size;) {
        bool is_ascii = (unsigned char)rl_line_buffer[at] < 0x80;
        size_t each = is_ascii ? 1 : text_character(rl_line_buffer + at, size - at).size;
        if (is_ascii || each > 1)
            for (size_t i = 0; i < each; i++)
                rl_line_buffer[kept++] = rl_line_buffer[at + i];
        at += each;
    }
    if ((int)kept == rl_end)
        return;
    rl_free_undo_list(); /* its places are others now */
    rl_line_buffer[kept] = '\0';
    rl_point = rl_end = (int)kept;
    rl_mark = 0;
}

static void feed(void)
{
    while (has_byte() && current->entered.size == 0) {
        rl_callback_read_char();
        mend_line();
        if (rl_numeric_arg > MAX_COUNT) /* 999999p would fill the memory */
            rl_numeric_arg = MAX_COUNT;
    }
}

static void forget_choices(struct console *console)
{
    text_clear(&console->choices);
    console->n_choices = 0;
}

static void return_to_end(struct console *console)
{
    console->scroll = console->scroll_rows = 0;
}

void console_key(struct console *console, int key)
{
    char bytes[KEY_BYTES];
    const char *sequence = sequence_of(key);
    forget_choices(console);
    return_to_end(console);
    n_macros = 0;
    if ((key & KEYCODE_ALT) != 0) {
        put_bytes("\x1b", 1);
        key &= ~KEYCODE_ALT;
    }
    if (sequence != NULL)
        put_bytes(sequence, strlen(sequence));
    else
        put_bytes(bytes, key_bytes(key, bytes));
    feed();
}

/* True in the middle of what takes several keys: a search, a count, vi's motion behind d. */
static bool is_in_middle(void)
{
    return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG |
                      RL_STATE_MULTIKEY | RL_STATE_VIMOTION | RL_STATE_CHARSEARCH) != 0;
}

void console_paste(struct console *console, int key)
{
    char text[KEY_BYTES + 1] = {0};
    if (key == KEYCODE_TAB)
        key = ' ';
    if (key == KEYCODE_ENTER || is_in_middle()) {
        console_key(console, key);
        return;
    }
    forget_choices(console);
    return_to_end(console);
    if (key >= ' ' && key != KEYCODE_BACKSPACE && key_bytes(key, text) > 0)
        rl_insert_text(text);
}

bool console_wants(const struct console *console, int key)
{
    (void)console;
    if (key != KEYCODE_ESCAPE)
        return false;
    return is_in_middle() || (rl_editing_mode == 0 && rl_get_keymap() == vi_insertion_keymap);
}

/* Begins the line anew. */
static void restart(void)
{
    rl_callback_sigcleanup();
    rl_free_undo_list();
    rl_callback_handler_remove();
    rl_callback_handler_install("", take_row);
    queue_begin = queue_end = 0;
}

static void forget_lines(struct console *console)
{
    text_clear(&console->entered);
    text_clear(&console->unfinished);
    restart();
}

bool console_give_up(struct console *console)
{
    if (console_is_empty(console) && !is_in_middle())
        return false;
    forget_choices(console);
    return_to_end(console);
    forget_lines(console);
    return true;
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

/* Moves the first row entered to those that are unfinished. */
static void move_row(struct console *console)
{
    struct text *entered = &console->entered;
    size_t size = strlen(text_string(entered)) + 1;
    text_put(&console->unfinished, text_string(entered));
    memmove(entered->bytes, entered->bytes + size, entered->size - size);
    text_shrink(entered, entered->size - size);
}

/* The line that is whole now; NULL while it is not. */
static char *finish_line(struct text *whole)
{
    if (is_unfinished(whole)) {
        text_char(whole, '\n');
        return NULL;
    }
    char *line = strdup(text_string(whole));
    text_clear(whole);
    if (line != NULL)
        remember(line);
    return line;
}

char *console_take_line(struct console *console)
{
    char *line = NULL;
    while (line == NULL && console->entered.size > 0) {
        move_row(console);
        if (console->unfinished.failed) { /* its end alone would mean something else */
            forget_lines(console);
            return NULL;
        }
        line = finish_line(&console->unfinished);
        feed(); /* what was typed behind it */
    }
    return line;
}

void console_put(struct console *console, const char *text)
{
    (void)console;
    if (is_in_middle())
        restart();
    rl_insert_text(text);
}

bool console_is_empty(const struct console *console)
{
    return rl_end == 0 && console->unfinished.size == 0;
}

/* The transcript. */

/* Lets the oldest half go, so that this is seldom done. */
static void forget_oldest(struct doc *transcript)
{
    struct doc kept;
    doc_init(&kept);
    for (size_t i = transcript->n_lines / 2; i < transcript->n_lines; i++) {
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

/* Behind each addition. Where memory ended, what is new is incomplete; what comes next need not
 * be. */
static void settle(struct console *console)
{
    struct doc *transcript = &console->transcript;
    if (transcript->n_lines > CONSOLE_MAX_LINES || transcript->failed)
        forget_oldest(transcript);
    transcript->failed = transcript->text.failed = false;
    return_to_end(console);
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
    settle(console);
}

void console_add(struct console *console, const struct doc *shown)
{
    doc_append(&console->transcript, shown, 0);
    settle(console);
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
    settle(console);
}

/* What is seen of the transcript. A line that is wider than the pane takes several rows. */

/* A row of a line; the one of number 0 of the line behind the last is the end. */
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
        size_t behind = n_rows(doc, place->line, cols) - place->row;
        if (rows < behind) {
            place->row += rows;
            return;
        }
        rows -= behind;
        *place = (struct place){place->line + 1, 0};
    }
}

/* Behind the last row that is seen. */
static struct place end_of_view(const struct console *console, size_t cols)
{
    const struct doc *doc = &console->transcript;
    size_t hidden = console->scroll, rows = console->scroll_rows;
    struct place end = {doc->n_lines > hidden ? doc->n_lines - hidden : 0, 0};
    if (rows > 0 && end.line > 0) {
        size_t all = n_rows(doc, --end.line, cols); /* fewer perhaps than when it was scrolled */
        end.row = rows < all ? all - rows : 1;
    }
    return end;
}

static void set_end_of_view(struct console *console, size_t cols, struct place end)
{
    const struct doc *doc = &console->transcript;
    console->scroll = doc->n_lines - end.line - (end.row > 0);
    console->scroll_rows = end.row > 0 ? n_rows(doc, end.line, cols) - end.row : 0;
}

void console_scroll(struct console *console, int lines, int rows)
{
    const struct doc *doc = &console->transcript;
    size_t cols = (size_t)console->cols;
    struct place end = end_of_view(console, cols), top = end;
    if (lines < 0) {
        go_forth(doc, cols, &end, (size_t)-lines);
    } else {
        (void)go_back(doc, cols, &top, rows > 1 ? (size_t)rows - 1 : 1);
        (void)go_back(doc, cols, &end, go_back(doc, cols, &top, (size_t)lines));
    }
    set_end_of_view(console, cols, end);
}

/* Drawing. */

/* Draws the rows before the end of the view, from the top of the area on; returns how many. */
static int draw_transcript(const struct console *console, struct area area)
{
    const struct doc *doc = &console->transcript;
    size_t cols = (size_t)area.cols, rows = (size_t)area.rows, col;
    struct place top = end_of_view(console, cols);
    rows = go_back(doc, cols, &top, rows);
    for (int row = 0; row < (int)rows; row++) {
        size_t n = wrap(doc, top.line, cols, top.row, &col);
        area_doc(area_part(area, row, 0, 1, area.cols), doc, top.line, col);
        top = top.row + 1 < n ? (struct place){top.line, top.row + 1}
                              : (struct place){top.line + 1, 0};
    }
    return (int)rows;
}

/* How the choices stand in an area. */
struct columns {
    int width, per_row, rows; /* the columns' width, how many there are, and the rows to be used */
    size_t n_shown;           /* the others are counted in the last row */
};

static struct columns columns_of(const struct console *console, int max_rows, int cols)
{
    const char *word = text_string(&console->choices);
    struct columns columns = {.width = 1, .n_shown = console->n_choices};
    for (size_t i = 0; i < console->n_choices; i++, word += strlen(word) + 1) {
        int width = (int)text_width(word, strlen(word)) + 2;
        columns.width = width > columns.width ? width : columns.width;
    }
    columns.per_row = cols > columns.width ? cols / columns.width : 1;
    size_t rows = (console->n_choices + (size_t)columns.per_row - 1) / (size_t)columns.per_row;
    columns.rows = rows < (size_t)max_rows ? (int)rows : max_rows;
    if (rows > (size_t)max_rows)
        columns.n_shown = max_rows > 0 ? (size_t)(max_rows - 1) * (size_t)columns.per_row : 0;
    return columns;
}

static void draw_choices(const struct console *console, struct area area, struct columns columns)
{
    const char *word = text_string(&console->choices);
    struct canvas_look look = look_of(STYLE_NAME);
    for (size_t i = 0; i < columns.n_shown; i++, word += strlen(word) + 1)
        area_text(area, (int)i / columns.per_row, (int)i % columns.per_row * columns.width, look,
                  word);
    if (columns.n_shown < console->n_choices)
        area_format(area, area.rows - 1, 0, look_of(STYLE_QUIET), "... and %zu more",
                    console->n_choices - columns.n_shown);
}

/* What stands before the line: what readline asks for where it is in the middle of something. */
static void put_prompt(const struct console *console, struct text *out)
{
    if (is_in_middle() && rl_display_prompt != NULL && rl_display_prompt[0] != '\0')
        text_put(out, rl_display_prompt);
    else if (console->unfinished.size > 0)
        text_put(out, "  ... (^C gives up) ");
    else
        tutor_prompt(console->tutor, out);
}

/* The prompt with the line in it, moved left so far that the cursor is seen. */
static void draw_prompt(const struct console *console, struct area area, int row, bool focused)
{
    struct text prompt = {0};
    put_prompt(console, &prompt);
    size_t size = text_fit(text_string(&prompt), prompt.size, (size_t)area.cols / 2);
    int col = area_put(area, row, 0, look_of(focused ? STYLE_TITLE : STYLE_QUIET),
                       text_string(&prompt), size);
    text_release(&prompt);
    struct area field = area_part(area, row, col, 1, area.cols - col);
    struct area nowhere = area_part(field, 0, 0, 0, 0); /* only to count, as it will be drawn */
    int before = area_put(nowhere, 0, 0, look_of(STYLE_PLAIN), rl_line_buffer, (size_t)rl_point);
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
    struct columns choices = columns_of(console, area.rows - 1, area.cols);
    int rows = area.rows - 1 - choices.rows;
    rows = draw_transcript(console, area_part(area, 0, 0, rows, area.cols));
    draw_choices(console, area_part(area, rows, 0, choices.rows, area.cols), choices);
    draw_prompt(console, area, rows + choices.rows, focused);
}
