/* attn at a terminal that a test can read: a pseudo terminal with libvterm behind it.
 *
 * A screen starts the program named by $ATTN with an environment of its own (a fresh home), types
 * keys, waits for what the screen shows and reads it as text and colours. Every wait has a limit of
 * SCREEN_WAIT_MS and fails the test beyond it; nothing sleeps for a fixed time. */
#ifndef ATTN_TESTS_PTY_SCREEN_H
#define ATTN_TESTS_PTY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

enum { SCREEN_WAIT_MS = 60000, SCREEN_MAX_COLS = 400 };

struct screen {
    VTerm *terminal;
    VTermScreen *cells;
    int rows, cols;
    int pty;         /* the program's terminal, seen from outside; -1 when closed */
    pid_t program;   /* 0 when it has ended */
    int exit_status; /* as waitpid() gives it, once it has ended */
    char home[64];   /* its HOME, where it runs; XDG_STATE_HOME is state/ in it */
    bool keeps_home; /* home belongs to the test, else to the screen */

    struct termios before;             /* the terminal's mode as the program found it */
    bool is_alternate, cursor_visible; /* what the program asked of the terminal last */
    int mouse;                         /* VTERM_PROP_MOUSE_NONE: clicks are not reported */
    char copied[8192];                 /* what the program asked to copy last: "52;c;" and base64 */
    size_t n_copying;                  /* bytes of such a command that is under way; 0: none is */
    char cut[4]; /* the beginning of a character, whose rest has not been read */
    size_t n_cut;
    bool answers;                   /* false: a terminal that is asked and says nothing */
    const char *watched;            /* bytes that are counted where the program sends them */
    size_t n_watched, watched_size; /* how often they came; how much of one came last */
};

/* How a program is started; zero and NULL mean the ordinary. */
struct screen_options {
    int rows, cols;               /* 24 x 80 */
    const char *home;             /* a directory to use as home; NULL: a fresh one */
    const char *const *settings;  /* "NAME=value" for its environment, NULL at the end */
    const char *const *arguments; /* behind the program's name, NULL at the end */
    bool keeps_output;   /* a Ctrl-C does not make the kernel forget what was just written */
    const char *program; /* NULL: $ATTN; else a path, such as a shell's */
    const char *watched; /* bytes to count in screen.n_watched; NULL: none */
    bool says_nothing;   /* a terminal that does not answer */
};

/* A directory that serves several runs as home, and its end with all that is in it. */
void screen_home_new(char home[64]);
void screen_home_remove(char home[64]); /* empty home: nothing */

/* Starts attn, behind $ATTN_RUNNER where that is set, in its home. The environment has HOME,
 * XDG_STATE_HOME, PATH, TERM=xterm-256color and LANG=C.UTF-8, no key bindings of the machine, and
 * what the caller tells sanitizers and valgrind. */
void screen_open(struct screen *screen, const struct screen_options *options);
/* Ends the program (by force where it runs still) and frees everything. Safe to call twice. */
void screen_close(struct screen *screen);

/* Types keys as they are; "\r" is Enter, "\x03" Ctrl-C, "\x1b[A" the up arrow. */
void screen_type(struct screen *screen, const char *keys);
/* Esc by its number, which is Esc whatever follows it. The byte alone would be the Alt of the next
 * key where attn, on a busy machine, reads both together; unit.keys has that byte. */
#define SCREEN_ESCAPE "\x1b[27u"
/* Presses a key that is no character, sent as the terminal's present mode wants it (the arrows of
 * a full-screen program differ from a shell's); Esc as SCREEN_ESCAPE. */
void screen_press(struct screen *screen, VTermKey key, VTermModifier modifiers);
void screen_press_times(struct screen *screen, VTermKey key, unsigned times);
/* The left button goes down and up there. Nothing is sent to a program that asked for no mouse. */
void screen_click(struct screen *screen, int row, int col);
/* So many notches of the wheel downwards, upwards where negative. */
void screen_wheel(struct screen *screen, int row, int col, int notches);
/* Shows what the program writes, until it has written nothing for quiet_ms, limit_ms at most. For
 * what must not wait for a certain text; returns how long it took to the last of it, in us. */
long screen_settle(struct screen *screen, int quiet_ms, int limit_ms);
/* Waits until the screen shows text anywhere; fails the test when it never does. */
void screen_wait(struct screen *screen, const char *text);
/* Waits until it is shown nowhere. */
void screen_wait_gone(struct screen *screen, const char *text);
/* Waits until this row shows text. */
void screen_wait_at(struct screen *screen, int row, const char *text);
/* Waits until the whole screen is this text, as screen_text() gives it. */
void screen_wait_all(struct screen *screen, const char *text);
/* Waits for anything else; what names it when it never comes. */
void screen_wait_for(struct screen *screen, bool (*done)(struct screen *, const char *what),
                     const char *what);
/* Waits until the row that the cursor is in equals text. */
void screen_wait_row(struct screen *screen, const char *text);
/* Shows what comes within so many milliseconds: for what may come or not. */
void screen_watch(struct screen *screen, int wait_ms);
/* Types Ctrl-L and waits until the screen is empty but for this prompt in its first row. */
void screen_clear(struct screen *screen, const char *prompt);
/* Waits for an empty prompt on the last line that is not blank: "attn> ". */
void screen_wait_prompt(struct screen *screen);
/* Types a line, and Enter once it is shown; returns when the program has taken it. For a line that
 * is longer than the screen is wide, or goes on, use screen_type(). */
void screen_enter(struct screen *screen, const char *line);
/* Does the same and waits for the next prompt. */
void screen_line(struct screen *screen, const char *line);
/* Types Ctrl-C and waits for the next prompt. What was typed before must have been taken: Ctrl-C
 * makes the kernel forget keys that nobody has read. */
void screen_interrupt(struct screen *screen);
/* Waits until the program has ended; returns its exit code, or -signal. */
int screen_wait_exit(struct screen *screen);
/* Kills the program as it stands (SIGKILL) and waits for its end. */
void screen_kill(struct screen *screen);
/* Takes the terminal away from the program, as when its window is closed. */
void screen_hang_up(struct screen *screen);
/* Whether the terminal echoes and edits lines by itself, as a shell wants to find it. */
bool screen_is_cooked(const struct screen *screen);
/* Whether all is as the program found it: the terminal's mode, the ordinary screen, a cursor that
 * is seen, no mouse. */
bool screen_is_given_back(const struct screen *screen);
void screen_resize(struct screen *screen, int rows, int cols);

/* Row of the screen as UTF-8 without trailing blanks. The text lives until the next call. */
const char *screen_row(struct screen *screen, int row);
/* Columns [col, end) of a row as UTF-8, blanks and all, into text with room for 4 *
 * VTERM_MAX_CHARS_PER_CELL bytes a column and one more. */
void screen_part(struct screen *screen, int row, int col, int end, char *text);
/* The whole screen, rows ended by newlines. The caller frees it. */
char *screen_text(struct screen *screen);
bool screen_shows(struct screen *screen, const char *text);
/* The first row from `from` on that contains text, or -1. */
int screen_find_row(struct screen *screen, int from, const char *text);
/* How many rows contain text. */
int screen_count_rows(struct screen *screen, const char *text);

/* The first column of a row in which this ASCII character stands, or -1. */
int screen_find_col(struct screen *screen, int row, char wanted);
/* The column from which on a row shows text, from column `from` on, or -1. */
int screen_find_text(struct screen *screen, int row, int from, const char *text);

/* Where the cursor is, whether it is seen or not. */
void screen_cursor(const struct screen *screen, int *ret_row, int *ret_col);

struct screen_look {
    int32_t front, back; /* 0xRRGGBB, -1 for the terminal's own; not exchanged by reverse */
    bool bold, underline, reverse;
};

struct screen_look screen_look(struct screen *screen, int row, int col);
/* Colour behind a cell as 0xRRGGBB, -1 for the terminal's own. */
int32_t screen_back(struct screen *screen, int row, int col);
/* True when any cell has a colour of its own, before or behind. */
bool screen_has_colour(struct screen *screen);

/* How the program asked for the colour behind a cell: by its number in the terminal's table, or by
 * red, green and blue. */
enum { SCREEN_OWN = -1, SCREEN_RGB = -2 };
int screen_back_index(struct screen *screen, int row, int col);

/* A number for all that is seen: letters, colours, marks, and the cursor where it is seen. Two
 * screens that look the same have the same. */
uint64_t screen_hash(struct screen *screen);

#endif
