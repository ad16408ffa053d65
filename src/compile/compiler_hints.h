/* The mistakes that beginners make most, as gcc and clang word them, in plain sentences. */
#ifndef ATTN_COMPILE_COMPILER_HINTS_H
#define ATTN_COMPILE_COMPILER_HINTS_H

#include "base/text.h"

/* What a sentence may speak of. */
struct compiler_hint_context {
    const char *function;  /* the one that the exercise asks for */
    const char *prototype; /* as it is declared, on one line */
};

/* Adds a plain sentence for one message of a compiler, without its place and severity. Nothing is
 * added, and false returned, for a message that is not in the table. */
bool compiler_hint_add(const char *message, const struct compiler_hint_context *context,
                       struct text *text);

#endif
