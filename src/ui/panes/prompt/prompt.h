/* The prompt and what was typed at it: a line that is edited in place, with the history and the
 * completion of the line REPL, over a transcript that scrolls.
 *
 * Not readline's: inside of a screen it needs a queue for its keys and guards against its own
 * callbacks, and a line is little to edit. The line REPL has readline, with vi's keys and
 * ~/.inputrc. */
#ifndef ATTN_UI_PANES_PROMPT_PROMPT_H
#define ATTN_UI_PANES_PROMPT_PROMPT_H

#include "shell/completion.h"
#include "shell/history.h"
#include "ui/panes/prompt/line.h"
#include "ui/terminal/pane.h"

enum { CONSOLE_MAX_LINES = 20000 };

struct console {
    struct tutor *tutor;    /* borrowed: completion looks into its session */
    int rows, cols;         /* of the pane */
    struct doc transcript;  /* the oldest lines go when there are too many */
    size_t scroll;          /* lines below what is seen; 0: the end is seen */
    size_t scroll_rows;     /* and so many rows of the last line that is seen, where it is long */
    struct line line;       /* that is being typed */
    struct text unfinished; /* the rows before it of a line whose brackets are open */
    struct text entered;    /* lines that wait to be run, each with a NUL after it */
    struct completions choices; /* of the last Tab, until the next key */

    struct history history;
    size_t shown; /* the entry of the history that the line was; history_count(): not one of them */
    char *own;    /* the learner's own line meanwhile; or NULL */
    bool is_searching;   /* ^R was pressed */
    bool is_missing;     /* nothing has what is searched for */
    struct text wanted;  /* what that is */
    size_t search_begin; /* `shown` before the search */
};

void console_init(struct console *console, struct tutor *tutor);
void console_release(struct console *console);
/* The pane's size, which scrolling goes by. */
void console_resize(struct console *console, int rows, int cols);

/* A key for the prompt; whole lines can be taken with console_take_line() afterwards. */
void console_key(struct console *console, int key);
/* A character of a paste: it is put in as it is, whatever its key does. Enter ends a line. */
void console_paste(struct console *console, int key);
/* True when the prompt needs a key that would leave it else: Escape ends a search. */
bool console_wants(const struct console *console, int key);
/* Forgets the line, its rows before, and a search. False when there is nothing to forget. */
bool console_give_up(struct console *console);
/* The next line entered, which the caller frees; NULL: no line. */
char *console_take_line(struct console *console);
/* Puts text into the prompt, as if typed. */
void console_put(struct console *console, const char *text);
bool console_is_empty(const struct console *console);
/* Adds what was typed, after its prompt, and what it gave. */
void console_echo(struct console *console, const char *line);
void console_add(struct console *console, const struct doc *shown);
void console_add_error(struct console *console, const struct error *error, const char *line);
/* Moves what is seen by so many rows, of a pane of `rows`: back in time, or forth where negative.
 */
void console_scroll(struct console *console, int lines, int rows);
void console_draw(const struct console *console, struct area area, bool focused, bool ascii);

/* How many lines the transcript has; of a long one the oldest lines go. */
size_t console_n_lines(const struct console *console);

extern const struct binding console_bindings[];
extern const struct pane_ops console_ops; /* state is a struct console */

#endif
