/* The saves of a folder's files, as they happen.
 *
 * Editors write a file in place or rename a new one over it; both count. The folder is looked at
 * every SAVES_POLL_MS: that takes some microseconds a file, and works on every file system, where
 * events of the system's own do not come from files that change on another machine. */
#ifndef ATTN_FILES_SAVES_H
#define ATTN_FILES_SAVES_H

#include <time.h>

#include "base/error.h"

enum { SAVES_POLL_MS = 100, SAVES_NAME_BYTES = 256 };

struct saves {
    const char *folder; /* borrowed */
    bool gone;          /* the folder is not there any more */

    char (*names)[SAVES_NAME_BYTES]; /* saved, not yet handed out */
    size_t n_names, names_capacity;
    struct saved_file *files; /* as they were when last looked at */
    size_t n_files, files_capacity;
};

/* Files that are there already count as seen. ERR_FILE when the folder can't be read. */
bool saves_open(const char *folder, struct saves *ret, struct error *reterr);
void saves_close(struct saves *saves);
/* Looks for new saves; call it every SAVES_POLL_MS. */
bool saves_look(struct saves *saves, struct error *reterr);
/* Hands out the name of a file that was saved: each once, in order. False when no save is left. */
bool saves_next(struct saves *saves, char name[SAVES_NAME_BYTES]);

#endif
