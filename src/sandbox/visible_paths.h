/* What of the machine's files a program in a box can see: a short list of places. The walls of
 * files are made from it, the mounts (mounts.h) as well as Landlock's rules (landlock.h). */
#ifndef ATTN_SANDBOX_VISIBLE_PATHS_H
#define ATTN_SANDBOX_VISIBLE_PATHS_H

#include <limits.h>

#include "sandbox/box.h"

enum { VIEW_MAX_PLACES = 32, VIEW_PATH_BYTES = 512 };

enum view_kind {
    VIEW_FOLDER, /* with all that is in it, to read and to execute */
    VIEW_FILE,   /* to read and to execute */
    VIEW_DEVICE, /* to read and to write */
    VIEW_LINK,   /* a symbolic link, as it is */
};

struct view_place {
    enum view_kind kind;
    char path[VIEW_PATH_BYTES]; /* absolute */
    char target[64];            /* VIEW_LINK: where it points */
};

struct view {
    struct view_place places[VIEW_MAX_PLACES];
    unsigned n;
};

/* The places that programs of this kind need of this machine; none for BOX_RUN. For a compiler
 * (program is its absolute path) these are the system's programs, libraries and headers, and the
 * folders beside the compiler where it lives elsewhere. What does not exist is left out, and so is
 * what would be too much: at most the compiler is then not found. */
void view_of(enum box_kind kind, const char *program, struct view *ret);

#endif
