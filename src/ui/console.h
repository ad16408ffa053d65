/* The prompt and what was typed at it: readline inside of the screen, with the history and
 * completion of the line REPL, over a transcript that scrolls. */
#ifndef ATTN_UI_CONSOLE_H
#define ATTN_UI_CONSOLE_H

#include "course/tutor.h"
#include "ui/canvas.h"
#include "ui/input.h"

enum { CONSOLE_MAX_LINES = 20000 };

struct console {
    struct tutor *tutor;    /* borrowed: completion looks into its session */
    struct doc transcript;  /* the oldest lines go when there are too many */
    size_t scroll;          /* lines from the end; 0: the end is seen */
    char *line;             /* a whole line that was entered and waits to be run; or NULL */
    struct doc choices;     /* of the last completion; shown until the next key */
    struct text unfinished; /* rows of a line whose brackets are open */
};

bool console_init(struct console *console, struct tutor *tutor, struct error *reterr);
void console_release(struct console *console);

/* A key for the prompt; a whole line is in console->line afterwards, to be taken with
 * console_take_line(). */
void console_key(struct console *console, int key);
/* The line entered, which the caller frees; NULL: none. */
char *console_take_line(struct console *console);
/* Puts text into the prompt, as if typed. */
void console_put(struct console *console, const char *text);
bool console_is_empty(const struct console *console);
/* Adds what was typed, behind its prompt, and what it gave. */
void console_echo(struct console *console, const char *line);
void console_add(struct console *console, const struct doc *shown);
void console_add_error(struct console *console, const struct error *error, const char *line);
void console_scroll(struct console *console, int lines, int rows);
void console_draw(const struct console *console, struct area area, bool focused, bool ascii);

extern const struct binding console_bindings[];

#endif
