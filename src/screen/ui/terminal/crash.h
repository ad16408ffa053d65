/* Handles a crash of attn while it has the terminal: restores the terminal, and leaves a report
 * with the addresses of the running functions. */
#ifndef ATTN_UI_TERMINAL_CRASH_H
#define ATTN_UI_TERMINAL_CRASH_H

#include <stdbool.h>
#include <stddef.h>

enum { CRASH_LEAVE_BYTES = 256 };

/* Remembers the terminal's modes, before they are changed. */
void crash_remember_modes(void);
/* Catches the signals of a crash. leave[0..size) restores the screen; at most CRASH_LEAVE_BYTES. */
void crash_catch(const char *leave, size_t size);
void crash_release(void);
/* Says whether there is a screen to restore at the moment. */
void crash_set_open(bool is_open);

#endif
