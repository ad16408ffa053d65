/* The files of the machine that a program in a box can see: a short list of places. The mounts
 * (mounts_internal.h) and Landlock's rules (landlock_internal.h) are made from it. */
#ifndef ATTN_SANDBOX_VISIBLE_PATHS_H
#define ATTN_SANDBOX_VISIBLE_PATHS_H

#include <limits.h>

#include "sandbox/box.h"

enum { VISIBLE_MAX_PATHS = 32, VISIBLE_PATH_BYTES = 512 };

enum visible_kind {
    VISIBLE_FOLDER, /* with everything in it, to read and to execute */
    VISIBLE_FILE,   /* to read and to execute */
    VISIBLE_DEVICE, /* to read and to write */
    VISIBLE_LINK,   /* a symbolic link, as it is */
};

struct visible_path {
    enum visible_kind kind;
    char path[VISIBLE_PATH_BYTES]; /* absolute */
    char target[64];               /* VISIBLE_LINK: where it points */
};

struct visible_paths {
    struct visible_path paths[VISIBLE_MAX_PATHS];
    unsigned n;
};

/* The places that programs of this kind need of this machine; none for BOX_RUN. For a compiler
 * (program is its absolute path) these are the system's programs, libraries and headers, and the
 * folders beside the compiler if it lives elsewhere. Places that do not exist are left out, and so
 * are those that would show too much: at worst the compiler is then not found. shows is one more
 * folder, for all kinds but BOX_RUN; or NULL. */
void visible_paths_of(enum box_kind kind, const char *program, const char *shows,
                      struct visible_paths *ret);
/* Can such a program see this file or folder, which may have no more than PATH_MAX bytes? */
bool visible_paths_show(enum box_kind kind, const char *program, const char *path);

#endif
