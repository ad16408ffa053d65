/* Files that are mapped (files/safetensors.h) and become shorter while they are read: the bytes
 * that are gone read as zeros instead of ending the program, and what is being computed is stopped.
 */
#ifndef ATTN_CLI_MAP_GUARD_H
#define ATTN_CLI_MAP_GUARD_H

#include <signal.h>

#include "base/error.h"

/* Answers SIGBUS from now on; sets both flags when it comes. They may be the same. */
void map_guard_install(volatile sig_atomic_t *stop, volatile sig_atomic_t *other_stop);
/* ERR_FILE where bytes were missing since the last call: what was computed of them is wrong. */
bool map_guard_check(struct error *reterr);

#endif
