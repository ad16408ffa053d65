/* attn bench: what its measurements share, and each of them. */
#ifndef ATTN_CLI_BENCH_H
#define ATTN_CLI_BENCH_H

#include "base/error.h"

enum { BENCH_FOLDER_BYTES = 64 };

/* A folder of our own under /tmp, and in it all that attn would write elsewhere: the learner's
 * progress and caches stay as they are. For this program and those that it starts. */
bool bench_folder_make(char folder[BENCH_FOLDER_BYTES], struct error *reterr);
/* Removes it with all that is in it; "": there is none. */
void bench_folder_remove(const char folder[BENCH_FOLDER_BYTES]);

/* The smallest of the values that so many percent of them are not above; sorts them. n > 0. */
double bench_percentile(double *values, size_t n, unsigned percent);

/* Each prints what it measured beside its limits; returns the exit code, EXIT_FAILED where a limit
 * is broken. */
int bench_grade(const char *file); /* NULL: a solution that comes with attn */
int bench_screen(void);

#endif
