/* Every limit of grading, in one place. `attn grade --limits` prints them. */
#ifndef ATTN_SANDBOX_LIMITS_H
#define ATTN_SANDBOX_LIMITS_H

#include <stddef.h>

#include "show/doc.h"

/* What one box (box.h) may use. 0 means no limit, unless said otherwise. */
struct box_limits {
    unsigned wall_ms;           /* kept by attn; SIGKILL after it */
    unsigned cpu_s;             /* soft; the hard limit is one second later */
    size_t address_space_bytes; /* RLIMIT_AS */
    size_t data_bytes;          /* RLIMIT_DATA: brk, private writable maps; 0: not limited */
    size_t stack_bytes;         /* RLIMIT_STACK */
    size_t file_bytes;          /* RLIMIT_FSIZE; 0 really is 0 */
    size_t memory_bytes;        /* memory cgroup, if there is one to write to */
    unsigned files;             /* RLIMIT_NOFILE */
    unsigned processes;         /* RLIMIT_NPROC, and the pids cgroup if there is one */
};

struct limits {
    struct box_limits compile;   /* of one step, compiling or linking */
    struct box_limits run;       /* of one submission's run: all cases in one process */
    struct box_limits sanitizer; /* of the repeat under sanitizers */
    unsigned case_wall_ms;       /* one case, without the time that others used the processors */
    unsigned submission_wall_ms; /* everything about one submission */
    unsigned explain_wall_ms;    /* a class has this much for each of its files, and at least for
                                  * twenty, to look for the reasons of crashes */
    size_t source_bytes, object_bytes, program_bytes;
    size_t text_kept_bytes;   /* of diagnostics, and of a program's output */
    size_t text_max_bytes;    /* the program is killed when it prints more */
    unsigned max_errors;      /* -fmax-errors= */
    unsigned internal_errors; /* in a row stop a batch */
    unsigned files;           /* of one student are graded */
};

enum { LIMIT_TEXT = 32 };

/* "512 MiB", or "256 KiB" if it is not a whole number of MiB. Returns text. */
const char *limit_write_bytes(size_t bytes, char text[LIMIT_TEXT]);

/* The defaults: a constant. */
extern const struct limits limits_default;

/* A table of all of them, each with its reason. */
void limits_show(const struct limits *limits, struct doc *doc);

#endif
