/* The one list of the words that a line at the prompt may begin with: completion, help and the
 * command palette read it. */
#ifndef ATTN_SHELL_PROMPT_WORD_H
#define ATTN_SHELL_PROMPT_WORD_H

#include <stdbool.h>
#include <stddef.h>

enum prompt_word_kind {
    WORD_OF_COURSE,   /* course/player/tutor.h */
    WORD_OF_SHELL,    /* shell/shell_command.h */
    WORD_OF_SCREEN,   /* shell/shell_command.h, only in the screen */
    WORD_OF_LANGUAGE, /* lang/commands/command.h */
};

struct prompt_word {
    enum prompt_word_kind kind;
    const char *name;    /* "review" */
    const char *usage;   /* "review, review all" */
    const char *summary; /* its effect, in a sentence or more */
    bool stands_alone;   /* it can be used without arguments */
    bool takes_more;     /* it can take arguments */
    bool loses; /* it removes something, or ends attn: it must not be offered ready to run to a
                 * learner who looks for something else */
};

/* Word i, from 0 on; kind by kind, in the order of help. False after the last. */
bool prompt_word(size_t i, struct prompt_word *ret);

#endif
