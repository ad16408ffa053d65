/* What the judge can say of a submission, and of one case of it. The names are part of the json
 * format and never change. */
#ifndef ATTN_REPORT_VERDICT_H
#define ATTN_REPORT_VERDICT_H

#include <stdbool.h>

enum verdict {
    VERDICT_PASS,
    VERDICT_WRONG_ANSWER,    /* "not written", "nondeterministic", or "" */
    VERDICT_NON_FINITE,      /* NaN or an infinity where a number is expected */
    VERDICT_MODIFIED_INPUTS, /* an input array differs from attn's copy */
    VERDICT_OUT_OF_BOUNDS,   /* beside an array; the detail says where */
    VERDICT_CRASH,           /* a signal, which is the detail */
    VERDICT_EXITED_EARLY,    /* left before the last answer; exit code 0 included */
    VERDICT_TIME_LIMIT,      /* "wall" or "cpu" */
    VERDICT_MEMORY_LIMIT,
    VERDICT_OUTPUT_LIMIT,      /* printed too much */
    VERDICT_FORBIDDEN_SYSCALL, /* the call's name */
    VERDICT_COMPILE_ERROR,     /* "", "time", "memory", "output", "crash", "forbidden word" */
    VERDICT_LINK_ERROR,        /* "function missing", "main defined", ... */
    VERDICT_LEAK,
    VERDICT_TOO_SLOW,
    VERDICT_NOT_IMPLEMENTED, /* the untouched starter */
    VERDICT_BAD_FILE,        /* "symlink", "not a regular file", "too large", "unreadable", ... */
    VERDICT_INTERNAL_ERROR,  /* ours, never the learner's */
    VERDICT_MISSING,         /* nothing was handed in */
    N_VERDICTS
};

const char *verdict_name(enum verdict verdict);
/* The verdict of that name; false when there is none. */
bool verdict_from_name(const char *name, enum verdict *ret);
/* A short plain sentence for a learner: "It ran out of time." */
const char *verdict_sentence(enum verdict verdict);

#endif
