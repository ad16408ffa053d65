/* The sign that something is computed: the last row of the screen counts the seconds.
 *
 * It is written past ncurses, since the program is in the middle of computing: by signal handlers,
 * from bytes that were prepared before, and in one write. There is one screen, so there is one of
 * these. */
#ifndef ATTN_UI_TERMINAL_BUSY_H
#define ATTN_UI_TERMINAL_BUSY_H

#include <signal.h>
#include <stdbool.h>

/* Begins to count: after a moment a timer (SIGALRM) asks for busy_show() twice a second. Where
 * *interrupted is set the sign says that the computing is being stopped. row and col: where the
 * cursor goes back to, or negative for nowhere. */
void busy_begin(const volatile sig_atomic_t *interrupted, int row, int col);
bool busy_end(void); /* true: the sign stands in the last row, and has to be painted over */

/* For signal handlers; these may change errno. */

void busy_show(void);       /* nothing unless it has begun */
void busy_show_again(void); /* nothing unless it is shown */
void busy_forbid(void); /* until the next beginning: the screen is another one now, or nobody's */

#endif
