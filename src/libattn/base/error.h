/* What went wrong, in one sentence that a person can act on.
 *
 * A function that can fail returns false, fills *reterr and leaves its outputs as they were. The
 * text lives inside the struct, so that it survives a failed allocation. */
#ifndef ATTN_BASE_ERROR_H
#define ATTN_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define ERROR_FORMAT(at, first) __attribute__((__format__(__printf__, at, first)))
#else
#define ERROR_FORMAT(at, first)
#endif

enum error_kind {
    ERR_NONE,
    ERR_MEMORY,      /* an allocation failed */
    ERR_LIMIT,       /* a size or a depth is over what attn allows */
    ERR_SHAPE,       /* shapes do not fit each other, or an axis does not exist */
    ERR_RANGE,       /* a number or an index is outside the possible range */
    ERR_TYPE,        /* a value of another kind was needed */
    ERR_NAME,        /* an unknown name or option */
    ERR_LABEL,       /* a label that an axis does not have */
    ERR_SYNTAX,      /* the line can't be read */
    ERR_FILE,        /* a file is missing, unreadable, truncated or of another format */
    ERR_INTERRUPTED, /* the learner pressed Ctrl-C */
};

struct error {
    enum error_kind kind; /* what code branches on */
    size_t begin, end;    /* bytes [begin, end) of the source line; equal when there is no place */
    char text[480];       /* WHAT: why; what to do. Cut at a character's end if it is too long */
};

/* Fills *reterr with kind and the formatted text, without a place. Returns false, so that a failing
 * function can end with `return error_set(...)`. If reterr is NULL, nothing is written. */
bool error_set(struct error *reterr, enum error_kind kind, const char *format, ...)
    ERROR_FORMAT(3, 4);

/* "WHAT: not enough memory", kind ERR_MEMORY. Returns false. */
bool error_memory(struct error *reterr, const char *what);

/* True when the work was stopped rather than wrong: there is no memory, or somebody pressed Ctrl-C.
 * Nothing should go on after it, and what ran is not to blame. */
bool error_is_stop(const struct error *error);

/* Gives the error a place unless it already has one. Returns false. */
bool error_place(struct error *reterr, size_t begin, size_t end);
/* Puts "in f: " or the like before the error's text; cuts the end if both together are too long. */
void error_prefix(struct error *reterr, const char *format, ...) ERROR_FORMAT(2, 3);

/* Copies src[0..size) to dst as one line of printable text of less than capacity bytes: control
 * characters and bytes that are not UTF-8 become '?', and a text that is too long ends in "...".
 * For showing a learner's own words back inside a message. capacity is at least 4. Returns dst. */
char *error_quote(char *dst, size_t capacity, const char *src, size_t size);

#endif
