/* Landlock: it denies files, TCP, abstract sockets and signals to this process and its children. */
#ifndef ATTN_SANDBOX_LANDLOCK_INTERNAL_H
#define ATTN_SANDBOX_LANDLOCK_INTERNAL_H

#include "sandbox/visible_paths.h"

/* From now on this process opens only the visible paths, files below work_folder (to write and to
 * execute; NULL: no such folder) and files below proc_folder (to read; or NULL), and executes the
 * file program_fd (-1: none). Needs PR_SET_NO_NEW_PRIVS. Returns NULL, or the step that failed with
 * errno. */
const char *landlock_confine(const struct visible_paths *visible, const char *work_folder,
                             const char *proc_folder, int program_fd);

#endif
