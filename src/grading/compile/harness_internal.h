/* The C that is compiled around a learner's function, after prototype_header(): the program that
 * answers attn's requests (runner_main.c and a call made from the prototype). It does not know the
 * expected values.
 *
 * The runner is linked with HARNESS_WRAP: all allocations and readings of clocks pass through
 * it. */
#ifndef ATTN_COMPILE_HARNESS_INTERNAL_H
#define ATTN_COMPILE_HARNESS_INTERNAL_H

#include "exercise/prototype.h"

#define HARNESS_WRAP                                  \
    "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc," \
    "--wrap=aligned_alloc,--wrap=posix_memalign,"     \
    "--wrap=time,--wrap=clock,--wrap=clock_gettime,"  \
    "--wrap=gettimeofday,--wrap=timespec_get"

/* runner.c: a whole program except for the learner's function. Includes only the system's
 * headers. */
void harness_runner(const struct prototype *prototype, struct text *text);
/* sanitizer.c: the same for a single case, which it reads from its standard input, for the
 * sanitizers to watch (see sanitizer_main.c). Never decides anything. */
void harness_sanitizer(const struct prototype *prototype, struct text *text);

#endif
