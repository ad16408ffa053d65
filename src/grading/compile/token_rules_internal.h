/* Words that an exercise forbids or requires. Only the tokens of a file count, so not comments or
 * quoted text. This is for teaching, not for protection: macros can hide a word. */
#ifndef ATTN_COMPILE_TOKEN_RULES_INTERNAL_H
#define ATTN_COMPILE_TOKEN_RULES_INTERNAL_H

#include "exercise/exercise.h"

struct token_fault {
    const struct exercise_word *word; /* borrowed from the exercise; NULL: no fault */
    bool missing;                     /* else forbidden */
    unsigned line;                    /* of the forbidden word, from 1 */
};

/* The first fault: forbidden words come before missing ones. A word may be several tokens, such as
 * "float [". */
struct token_fault token_rules_check(const struct exercise *exercise, const char *source,
                                     size_t size);

#endif
