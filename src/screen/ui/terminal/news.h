/* Notices new input: work between two keys asks for it, and ends. */
#ifndef ATTN_UI_TERMINAL_NEWS_H
#define ATTN_UI_TERMINAL_NEWS_H

#include <signal.h>
#include <stdbool.h>

/* Set, while watching, once there is input, or a signal that concerns the screen came: a `stop` for
 * any computation. */
extern volatile sig_atomic_t news_came;

/* Starts watching, with nothing new yet, or stops. Not while busy.h counts: there is one timer. */
void news_watch(bool on);

/* ---- for signal handlers; this may change errno ---- */

void news_look(void); /* called by the timer */
void news_tell(void); /* a signal came */

#endif
