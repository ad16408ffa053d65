/* The saves of a folder's files, as they happen.
 *
 * Editors write a file in place or rename a new one over it; both count. Where the system tells of
 * them (inotify) they come at once. Where it may not, as on file systems whose files change
 * elsewhere, the folder is looked at every SAVES_POLL_MS instead. */
#ifndef ATTN_FILES_SAVES_H
#define ATTN_FILES_SAVES_H

#include <time.h>

#include "base/error.h"

enum { SAVES_POLL_MS = 500, SAVES_NAME_BYTES = 256 };

struct saves {
    const char *folder;    /* borrowed */
    int fd;                /* readable when there may be news; -1: only time tells */
    const char *polls_why; /* why the folder is looked at regularly; NULL: it need not be */
    bool gone;             /* the folder is not there any more */

    char (*names)[SAVES_NAME_BYTES]; /* saved, not yet handed out */
    size_t n_names, names_capacity;
    struct saved_file *files; /* as they were when last looked at */
    size_t n_files, files_capacity;
};

/* What is there by now counts as seen. ERR_FILE when the folder can't be read. */
bool saves_open(const char *folder, struct saves *ret, struct error *reterr);
void saves_close(struct saves *saves);
/* Looks for news, which may be none; call when fd is readable, or SAVES_POLL_MS have passed. */
bool saves_look(struct saves *saves, struct error *reterr);
/* Hands out the name of a file that was saved: each once, in order. False when there is none. */
bool saves_next(struct saves *saves, char name[SAVES_NAME_BYTES]);

#endif
