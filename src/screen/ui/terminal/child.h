/* A program that runs beside the screen: its output is gathered while the loop goes on, and nothing
 * here waits for it. */
#ifndef ATTN_UI_TERMINAL_CHILD_H
#define ATTN_UI_TERMINAL_CHILD_H

#include <sys/types.h>

#include "base/text.h"

enum {
    CHILD_FDS = 2,
    CHILD_MAX_OUTPUT = 4 << 20, /* bytes that are kept of each; the rest is dropped */
};

struct child {
    pid_t process;         /* 0: no child runs */
    int fds[CHILD_FDS];    /* its standard output and standard error; -1: closed */
    struct text output;    /* its output so far */
    struct text complaint; /* the same, on standard error */
    int status;            /* as waitpid() gives it, once it has ended */
};

void child_init(struct child *child);
void child_release(struct child *child); /* stops it if it runs */

/* Runs the program at path with arguments (the program's name first, NULL at the end), in a process
 * group of its own, with nothing to read. ERR_FILE when it can't be started. No child may be
 * running. */
bool child_start(struct child *child, const char *path, const char *const *arguments,
                 struct error *reterr);
/* Reads its new output. True when it has ended, with its status. Call it when a descriptor is
 * readable or a child has ended. */
bool child_look(struct child *child);
/* Ends it and every process that it started. */
void child_stop(struct child *child);

#endif
