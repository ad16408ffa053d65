/* The sign that attn is computing: the last row of the screen counts the seconds.
 *
 * It is written past the canvas, since the program is in the middle of computing: by signal
 * handlers, from bytes that were prepared before, and in one write. There is one screen, so there
 * is one such sign. */
#ifndef ATTN_UI_TERMINAL_BUSY_H
#define ATTN_UI_TERMINAL_BUSY_H

#include <signal.h>
#include <stdbool.h>

struct busy_screen {
    int rows, cols;
    int cursor_row, cursor_col; /* to which the cursor returns; negative: none */
};

/* Begins to count: after a moment a timer (SIGALRM) asks for busy_show() twice a second. If
 * *interrupted is set, the sign says that the computation is being stopped. */
void busy_begin(const volatile sig_atomic_t *interrupted, const struct busy_screen *screen);
bool busy_end(void); /* true: the sign is in the last row, and must be painted over */

/* For signal handlers; these may change errno. */

void busy_show(void);       /* does nothing unless counting has begun */
void busy_show_again(void); /* does nothing unless it is shown */
void busy_forbid(
    void); /* until the next busy_begin(): the screen shows something else, or is given away */

#endif
