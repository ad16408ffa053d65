/* The signals that concern the screen. Their handlers set a flag and write a byte to a pipe, which
 * the waiting looks at. */
#ifndef ATTN_UI_TERMINAL_SIGNALS_H
#define ATTN_UI_TERMINAL_SIGNALS_H

#include <signal.h>

#include "base/error.h"

/* What has come since it was looked at last. */
extern struct terminal_signals {
    volatile sig_atomic_t resized, continued, child_ended;
    /* The signal that asks the program to end, SIGHUP also where the terminal is lost; 0: none. */
    volatile sig_atomic_t gone;
    volatile sig_atomic_t is_watched; /* Ctrl-C sets terminal_interrupted (terminal.h) */
} terminal_signals;

/* Catches them; ERR_FILE without a pipe. */
bool signals_open(struct error *reterr);
/* As a program finds them; but a Ctrl-C too many, after the last key, does nothing. */
void signals_close(void);
int signals_fd(void);     /* becomes readable when one came */
void signals_empty(void); /* reads all that is there */

/* One handler writes to the terminal at a time: it is not interrupted by those of the timer and of
 * Ctrl-C. handler may be SIG_DFL; flags as in sigaction(2). */
void signal_catch(int number, void (*handler)(int), int flags);

#endif
