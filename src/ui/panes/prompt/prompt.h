/* The prompt and what was typed at it: readline inside of the screen, with the history and
 * completion of the line REPL, over a transcript that scrolls. */
#ifndef ATTN_UI_PANES_PROMPT_PROMPT_H
#define ATTN_UI_PANES_PROMPT_PROMPT_H

#include "course/player/tutor.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"

enum { CONSOLE_MAX_LINES = 20000 };

struct console {
    struct tutor *tutor;    /* borrowed: completion looks into its session */
    int rows, cols;         /* of the pane */
    struct doc transcript;  /* the oldest lines go when there are too many */
    size_t scroll;          /* lines below what is seen; 0: the end is seen */
    size_t scroll_rows;     /* and so many rows of the last line that is seen, where it is long */
    struct text entered;    /* rows that wait to be run, each with a NUL behind it */
    struct text unfinished; /* rows of a line whose brackets are open */
    struct text choices;    /* of the last completion, until the next key; as entered */
    size_t n_choices;
};

bool console_init(struct console *console, struct tutor *tutor, struct error *reterr);
void console_release(struct console *console);
/* The pane's size, which scrolling goes by. */
void console_resize(struct console *console, int rows, int cols);

/* A key for the prompt; whole lines can be taken with console_take_line() afterwards. */
void console_key(struct console *console, int key);
/* A character of a paste: it is put in as it is, whatever its key does. Enter ends a line. */
void console_paste(struct console *console, int key);
/* True when the line editor needs a key that would leave the prompt else: Escape ends a search, or
 * vi's insertion. */
bool console_wants(const struct console *console, int key);
/* Forgets the line, its rows before, and what the editor is in the middle of. False when there is
 * none of it. */
bool console_give_up(struct console *console);
/* The next line entered, which the caller frees; NULL: none. */
char *console_take_line(struct console *console);
/* Puts text into the prompt, as if typed. */
void console_put(struct console *console, const char *text);
bool console_is_empty(const struct console *console);
/* Adds what was typed, behind its prompt, and what it gave. */
void console_echo(struct console *console, const char *line);
void console_add(struct console *console, const struct doc *shown);
void console_add_error(struct console *console, const struct error *error, const char *line);
/* Moves what is seen by so many rows, of a pane of `rows`: back in time, or forth where negative.
 */
void console_scroll(struct console *console, int lines, int rows);
void console_draw(const struct console *console, struct area area, bool focused, bool ascii);

extern const struct binding console_bindings[];

#endif
