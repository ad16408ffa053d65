/* The prompt and what was typed at it: a line that is edited in place, with the history and the
 * completion of the line REPL, over a transcript that scrolls.
 *
 * Not readline's: inside of a screen it needs a queue for its keys and guards against its own
 * callbacks, and a line is little to edit. The line REPL has readline, with vi's keys and
 * ~/.inputrc. */
#ifndef ATTN_UI_PANES_PROMPT_PROMPT_H
#define ATTN_UI_PANES_PROMPT_PROMPT_H

#include "shell/shell_block.h"
#include "shell/completion.h"
#include "shell/history.h"
#include "ui/panes/prompt/line.h"
#include "ui/terminal/find.h"
#include "ui/terminal/pane.h"

enum { PROMPT_MAX_LINES = 20000 };

struct prompt {
    struct tutor *tutor;   /* borrowed: completion looks into its session */
    int rows, cols;        /* of the pane */
    struct doc transcript; /* the oldest lines go when there are too many */
    size_t n_rested;       /* lines from its begin on that were put away: prompt_rest() */
    size_t scroll;         /* lines below what is seen; 0: the end is seen */
    size_t scroll_rows;    /* and so many rows of the last line that is seen, where it is long */
    size_t first; /* the line that is seen first, from 1, however many rows there are; 0: as scroll
                   * says */
    struct line line;         /* that is being typed: one row, or the rows of a block */
    bool is_rushed;           /* more keys wait: rows come as from a paste, and are not indented */
    bool pasted_row;          /* the last character pasted ended a row */
    bool wants_editor;        /* ^X was pressed: the rows go to the learner\'s editor */
    struct text entered;      /* blocks that wait to be run, each with a NUL after it */
    struct shell_block block; /* the one under way */
    struct completions choices; /* of the last Tab, until the next key */
    struct text signature; /* of the function that it completed, until the next key; else of the
                            * one in whose brackets the cursor is */

    struct history history;
    size_t shown; /* the entry of the history that the line was; history_count(): not one of them */
    char *own;    /* the learner's own line meanwhile; or NULL */
    bool is_searching;   /* ^R was pressed */
    bool is_missing;     /* nothing has what is searched for */
    struct text wanted;  /* what that is */
    size_t search_begin; /* `shown` before the search */
    struct find find;    /* of words in the transcript; its field is in the line's place */
};

/* tutor is borrowed. */
void prompt_init(struct prompt *prompt, struct tutor *tutor);

/* A key for the prompt; whole lines can be taken with prompt_take_line() afterwards. */
void prompt_key(struct prompt *prompt, int key);
/* Forgets the line with its rows, and a search. False when there is nothing to forget. */
bool prompt_give_up(struct prompt *prompt);
/* The next line entered, which the caller frees; NULL: no line. Of a block, the next of its lines.
 */
char *prompt_take_line(struct prompt *prompt);
/* Says whether the line that was taken last worked: after a failure the rest of its block does not
 * run, and the transcript tells what ran. Returns how many lines that added to it. */
size_t prompt_end_line(struct prompt *prompt, bool ok);
/* Puts text into the prompt, as if typed. */
void prompt_put(struct prompt *prompt, const char *text);
bool prompt_is_empty(const struct prompt *prompt);
/* The rows of the line, or block, that is being typed. */
size_t prompt_line_rows(const struct prompt *prompt);
/* Adds what was typed, after its prompt, and what it gave. */
void prompt_echo(struct prompt *prompt, const char *line);
void prompt_add(struct prompt *prompt, const struct doc *shown);
void prompt_add_error(struct prompt *prompt, const struct error *error, const char *line);
/* Shows the lines that were added last, so many, from their beginning where not all have room. */
void prompt_show_beginning(struct prompt *prompt, size_t n_lines);
/* The learner goes on: what was printed is put away, and the prompt needs one row again. The lines
 * come back when they are scrolled to or searched. */
void prompt_rest(struct prompt *prompt);
/* Moves what is seen by so many rows: back in time, or forth where negative. */
void prompt_scroll(struct prompt *prompt, int rows);
/* ---- the operations of a pane; state is a struct prompt ---- */

extern const struct pane_ops prompt_ops;

/* A character of a paste: it is put in as it is, whatever its key does. Enter ends a row. At the
 * end of the paste (KEYCODE_PASTE_END) the block is entered if its last row was ended. */
void prompt_paste(void *state, int key);
void prompt_resize(void *state, int rows, int cols);
void prompt_draw(const void *state, struct area area, bool focused, bool ascii);
void prompt_release(void *state);

#endif
