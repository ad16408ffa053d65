/* Folders: made on the way to a file, and where attn keeps what it remembers of a person. */
#ifndef ATTN_FILES_FOLDER_H
#define ATTN_FILES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the folders that lead to path, which nobody else may read where `private`. Returns 0, or
 * an errno. */
int folder_make_parents(const char *path, bool private);
/* Writes $XDG_STATE_HOME/attn/NAME, else ~/.local/state/attn/NAME. False when there is neither, or
 * it does not fit. */
bool folder_state_path(const char *name, char *path, size_t capacity);

#endif
