/* A notebook: runs cells and files of Python, as they stand in courses.
 *
 * docs/language-design.md says how. Names live from cell to cell. Nothing here prints or reads a
 * file: what a cell prints is handed to the caller. */
#ifndef ATTN_LANG_NOTEBOOK_NOTEBOOK_H
#define ATTN_LANG_NOTEBOOK_NOTEBOOK_H

#include <signal.h>

#include "base/error.h"
#include "base/text.h"

struct notebook;

struct notebook_options {
    /* Gets what print() prints, as it comes. */
    void (*print)(void *context, const char *bytes, size_t size);
    /* Gets what the cell writes to sys.stderr; NULL drops it. */
    void (*print_error)(void *context, const char *bytes, size_t size);
    /* Gets what is to be said beside it, once each: a line without its end; or NULL. */
    void (*note)(void *context, const char *text);
    void *context;
    const volatile sig_atomic_t *stop; /* set to stop a cell; or NULL */
    size_t most_bytes;                 /* of memory that a cell may add; 0: 2 GB */
};

/* NULL without memory. */
struct notebook *notebook_new(const struct notebook_options *options);
void notebook_free(struct notebook *notebook);

/* How a cell ended. */
enum notebook_end {
    NOTEBOOK_DONE,
    NOTEBOOK_FAILED, /* an error that nobody caught */
    NOTEBOOK_EXIT,   /* sys.exit() */
};

/* Runs a cell; name is that of the file, for messages. On failure its traceback is added to
 * trace. *ret_code: of an exit. */
enum notebook_end notebook_run(struct notebook *notebook, const char *name, const char *source,
                               size_t size, struct text *trace, int *ret_code);

#endif
