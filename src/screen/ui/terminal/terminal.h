/* The terminal. Only files of this room read its description (terminal_internal.h). Opens and
 * closes in one pair; puts a canvas on the screen; reads keys, the mouse and signals. */
#ifndef ATTN_UI_TERMINAL_TERMINAL_H
#define ATTN_UI_TERMINAL_TERMINAL_H

#include <signal.h>

#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"
#include "ui/terminal/theme.h"

struct terminal;

struct terminal_options {
    bool with_colour; /* colours, if the terminal has any */
    bool is_utf8;     /* letters outside ASCII can be read and shown; else ? stands for them */
};

/* Takes control of the terminal; however the program ends from here on (exit, a signal, a crash),
 * the terminal is restored. A crash leaves a report and says where. ERR_FILE when the terminal
 * can't show screens (TERM=dumb, or not set). One at a time. */
bool terminal_open(const struct terminal_options *options, struct terminal **ret,
                   struct error *reterr);
void terminal_close(struct terminal *terminal); /* terminal may be NULL */

/* Its current size. */
void terminal_size(const struct terminal *terminal, int *ret_rows, int *ret_cols);
int terminal_colours(const struct terminal *terminal); /* as theme.n_colours */
/* The colour of the terminal's own background as 0xRRGGBB, once it has answered; -1 before that,
 * and if it never answers. terminal_wait_input() returns false when it becomes known. */
int32_t terminal_background(const struct terminal *terminal);
/* Clicks and the wheel become input, if the terminal has a mouse; else the terminal keeps them, and
 * selects text with them. Off until this is called. */
void terminal_set_mouse(struct terminal *terminal, bool on);
/* Puts the canvas on the terminal; sends only the differences from last time. Keeps its cells for
 * that: what the canvas holds afterwards means nothing until it is cleared. */
void terminal_paint(struct terminal *terminal, struct canvas *canvas, const struct theme *theme);
void terminal_repaint(struct terminal *terminal); /* sends everything at the next painting */

/* Puts text into the clipboard (clipboard.h), without learning whether the terminal accepts it. */
bool terminal_copy(struct terminal *terminal, const char *text, size_t size, struct error *reterr);

/* What to wait for besides input: descriptors that become readable, and how long at most. */
struct terminal_wait {
    const int *fds; /* other descriptors; -1 is left out */
    int n_fds;
    int timeout_ms; /* -1: no limit */
};
/* Waits for input, a signal (resize, continue, child), one of the descriptors, or the time; it does
 * not poll. Returns true with *ret when there is input. Returns false when anything else ended the
 * wait: a descriptor is readable, a child ended, the time is over, or bytes came that make no key.
 * INPUT_GONE: the terminal is lost, or the program is asked to end. A lone Escape is input once
 * $ESCDELAY milliseconds have passed (keys.h). */
bool terminal_wait_input(struct terminal *terminal, struct terminal_wait *wait, struct input *ret);
/* True when more input has been read already or can be read at once. */
bool terminal_has_input(struct terminal *terminal);
/* The signal that asked the program to end, SIGHUP also if the terminal was lost; 0: no such
 * signal. Also valid after terminal_close(). */
int terminal_ended_by(void);
/* True once each time a child may have ended since. */
bool terminal_child_ended(struct terminal *terminal);

/* Gives the terminal to another program (an editor) and takes it back. */
void terminal_leave(struct terminal *terminal);
void terminal_return(struct terminal *terminal);
/* Gives the terminal to the shell and stops the whole job, a script around it too, until somebody
 * continues it. */
void terminal_suspend(struct terminal *terminal);

/* Set by Ctrl-C during a computation: terminal_watch_interrupt(true) makes the key a signal again
 * until it is called with false. If the computation takes longer than a moment, the last row of the
 * screen counts its seconds and says that Ctrl-C stops it; the next painting restores the row. */
extern volatile sig_atomic_t terminal_interrupted;
void terminal_watch_interrupt(struct terminal *terminal, bool on);

#endif
