/* Folders: made on the way to a file, and where attn keeps what it remembers of a person. */
#ifndef ATTN_FILES_FOLDER_H
#define ATTN_FILES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the folders that lead to path, which nobody else may read where `private`. Returns 0, or
 * an errno. */
int folder_make_parents(const char *path, bool private);
/* Whether this process may put files into a folder, which with those above it may have to be made
 * first: 0, or the errno of what is in the way. Nothing is made. What a file system of its own kind
 * says only when it is tried, such as that it is full, is not found out. */
int folder_can_be_filled(const char *folder);
/* The same of the folder in which a file will be; it must be there already. */
int folder_can_hold(const char *file);
/* Removes what processes that were killed left of files that they were writing (file.h): files
 * called .attn-PID-N, of processes that are no more. */
void folder_clear_leftovers(const char *folder);
/* Writes $XDG_STATE_HOME/attn/NAME, else ~/.local/state/attn/NAME. False when there is neither, or
 * it does not fit. */
bool folder_state_path(const char *name, char *path, size_t capacity);

#endif
