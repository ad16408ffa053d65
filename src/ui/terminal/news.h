/* Whether there is something to look at: what works between two keys asks for it, and ends. */
#ifndef ATTN_UI_TERMINAL_NEWS_H
#define ATTN_UI_TERMINAL_NEWS_H

#include <signal.h>
#include <stdbool.h>

/* Set while it is watched, once there is input, or a signal came that concerns the screen: a `stop`
 * of whatever computes. */
extern volatile sig_atomic_t news_came;

/* Begins to watch, with nothing new yet, or ends it. Not while busy.h counts: there is one timer.
 */
void news_watch(bool on);

/* ---- for signal handlers; this may change errno ---- */

void news_look(void); /* what the timer asks for */
void news_tell(void); /* a signal came */

#endif
