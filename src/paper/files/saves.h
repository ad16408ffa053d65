/* Notices when files of a folder are saved.
 *
 * Editors write a file in place or rename a new one over it; both count. The folder is read every
 * SAVES_POLL_MS: that takes some microseconds per file, and works on every file system; the
 * system's own events do not report files that change on another machine. */
#ifndef ATTN_FILES_SAVES_H
#define ATTN_FILES_SAVES_H

#include <time.h>

#include "base/error.h"

enum { SAVES_POLL_MS = 100, SAVES_NAME_BYTES = 256 };

struct saves {
    const char *folder; /* borrowed */
    bool gone;          /* the folder does not exist any more */

    char (*names)[SAVES_NAME_BYTES]; /* saved, not yet handed out */
    size_t n_names, names_capacity;
    struct saved_file *files; /* as they were at the last look */
    size_t n_files, files_capacity;
};

/* Files that already exist count as seen. ERR_FILE when the folder can't be read. */
bool saves_open(const char *folder, struct saves *ret, struct error *reterr);
void saves_close(struct saves *saves);
/* Looks for new saves; call it every SAVES_POLL_MS. */
bool saves_look(struct saves *saves, struct error *reterr);
/* Hands out the name of a file that was saved: each once, in order. False when no save is left. */
bool saves_next(struct saves *saves, char name[SAVES_NAME_BYTES]);

#endif
