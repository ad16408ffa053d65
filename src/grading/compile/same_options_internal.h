/* Finds places where a timed function asks for other options than the plain version beside it:
 * pragmas and attributes that tell the compiler how to optimise.
 *
 * It looks in the preprocessor's output, so that no macro hides them, and ignores quoted text and
 * comments. Vectors and intrinsics do not count as options: a header's own lines may ask for a
 * processor's instructions, but not for another optimisation. */
#ifndef ATTN_COMPILE_SAME_OPTIONS_INTERNAL_H
#define ATTN_COMPILE_SAME_OPTIONS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

struct option_fault {
    unsigned line; /* of the learner's file, as the preprocessor counts; 0: no fault */
    char what[64]; /* "#pragma GCC optimize", "__attribute__((target))"; cut to what fits */
};

/* The first fault in preprocessed C with its line markers. */
struct option_fault same_options_check(const char *text, size_t size);

#endif
