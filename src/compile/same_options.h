/* Where a timed function is written with other options than the plain version beside it: pragmas
 * and attributes that tell the compiler how to optimise.
 *
 * They are looked for in what the preprocessor makes of a file, so that no macro hides them, and
 * quoted text and comments hold none. Vectors and intrinsics are no options: a header's own lines
 * may ask for a processor's instructions, but nothing may ask for another way to optimise. */
#ifndef ATTN_COMPILE_SAME_OPTIONS_H
#define ATTN_COMPILE_SAME_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct option_fault {
    unsigned line; /* of the learner's file, as the preprocessor counts; 0: there is no fault */
    char what[64]; /* "#pragma GCC optimize", "__attribute__((target))"; cut to what fits */
};

/* The first fault in preprocessed C with its line markers. */
struct option_fault same_options_check(const char *text, size_t size);

#endif
