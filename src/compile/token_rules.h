/* Words that an exercise forbids or asks for. They are looked for among the tokens of a file, so
 * neither in comments nor in quoted text. A way to teach, no protection: macros can hide a word. */
#ifndef ATTN_COMPILE_TOKEN_RULES_H
#define ATTN_COMPILE_TOKEN_RULES_H

#include "exercise/exercise.h"

struct token_fault {
    const struct exercise_word *word; /* borrowed from the exercise; NULL: there is no fault */
    bool missing;                     /* else forbidden */
    unsigned line;                    /* of the forbidden word, from 1 */
};

/* The first fault: forbidden words before those that are missing. A word may be several tokens,
 * such as "float [". */
struct token_fault token_rules_check(const struct exercise *exercise, const char *source,
                                     size_t size);

#endif
