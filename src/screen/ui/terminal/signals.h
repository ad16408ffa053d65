/* The signals that concern the screen. Their handlers set a flag and write a byte to a pipe, which
 * the wait for input watches. */
#ifndef ATTN_UI_TERMINAL_SIGNALS_H
#define ATTN_UI_TERMINAL_SIGNALS_H

#include <signal.h>

#include "base/error.h"

/* The signals since the last look. */
extern struct terminal_signals {
    volatile sig_atomic_t resized, continued, stopped, child_ended;
    /* The signal that asks the program to end, SIGHUP also if the terminal is lost; 0: no such
     * signal. */
    volatile sig_atomic_t gone;
    volatile sig_atomic_t is_watched; /* Ctrl-C sets terminal_interrupted (terminal.h) */
} terminal_signals;

/* Catches them; ERR_FILE without a pipe. */
bool signals_open(struct error *reterr);
/* Restores the handlers as a program finds them; but a further Ctrl-C, after the last key, does
 * nothing. */
void signals_close(void);
int signals_fd(void);     /* becomes readable when a signal comes */
void signals_empty(void); /* reads all its bytes */

/* Sets a handler. Only one handler writes to the terminal at a time: those of the timer and of
 * Ctrl-C do not interrupt it. handler may be SIG_DFL; flags as in sigaction(2). */
void signal_catch(int number, void (*handler)(int), int flags);

#endif
