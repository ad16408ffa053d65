/* What happens when attn crashes while it has the terminal: the terminal is given back as it was,
 * and a report is left with the addresses that were being run. */
#ifndef ATTN_UI_TERMINAL_CRASH_H
#define ATTN_UI_TERMINAL_CRASH_H

#include <stdbool.h>
#include <stddef.h>

enum { CRASH_LEAVE_BYTES = 256 };

/* Remembers the terminal's modes, before anybody changes them. */
void crash_remember_modes(void);
/* Catches what ends a crashing program. leave[0..size) is what gives the screen back, of at most
 * CRASH_LEAVE_BYTES. */
void crash_catch(const char *leave, size_t size);
void crash_release(void);
/* Whether there is a screen to give back at the moment. */
void crash_set_open(bool is_open);

#endif
