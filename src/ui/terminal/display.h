/* The terminal: the only file that includes ncurses. Opens and closes in one pair; puts a canvas on
 * the screen; reads keys, the mouse and signals. */
#ifndef ATTN_UI_TERMINAL_DISPLAY_H
#define ATTN_UI_TERMINAL_DISPLAY_H

#include <signal.h>

#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"
#include "ui/terminal/theme.h"

struct display;

struct display_options {
    bool no_colour; /* --color never, NO_COLOR */
};

/* Takes the terminal over; however the program ends from here on (exit, a signal, a crash), it is
 * given back as it was. A crash leaves a report and says where. ERR_FILE when the terminal can't
 * show screens (TERM=dumb, none). One at a time. */
bool display_open(const struct display_options *options, struct display **ret,
                  struct error *reterr);
void display_close(struct display *screen); /* screen may be NULL */

void display_size(const struct display *screen, int *ret_rows, int *ret_cols);
int display_colours(const struct display *screen); /* as theme.n_colours */
/* Puts the canvas on the terminal; only what differs from last time is sent. */
void display_paint(struct display *screen, const struct canvas *canvas, const struct theme *theme);
void display_repaint(struct display *screen); /* everything, at the next painting */

/* What the loop waits for: descriptors that become readable, and how long at most. */
struct display_wait {
    const int *fds; /* other descriptors; -1 is left out */
    int n_fds;
    int timeout_ms; /* -1: for ever */
};
/* Waits for input, a signal (resize, continue, child), or one of the descriptors; no busy waiting.
 * Returns true with *ret when there is input; else one of the descriptors, a child's end, the time
 * or bytes that make no key woke it. INPUT_GONE: the terminal is lost, or somebody asked the
 * program to end. */
bool display_wait_input(struct display *screen, struct display_wait *wait, struct input *ret);
/* True when there is more input that was read already or can be read at once. */
bool display_has_input(struct display *screen);
/* True once for each time a child may have ended since. */
bool display_child_ended(struct display *screen);

/* Gives the terminal away (to an editor, to the shell on Ctrl-Z) and takes it back. */
void display_leave(struct display *screen);
void display_return(struct display *screen);

/* Set by Ctrl-C while something is computed: display_watch_interrupt(true) makes the key a signal
 * again for so long. Where that takes longer than a moment, the last row of the screen counts its
 * seconds and says that Ctrl-C stops it; the next painting puts back what stood there. */
extern volatile sig_atomic_t display_interrupted;
void display_watch_interrupt(struct display *screen, bool on);

#endif
