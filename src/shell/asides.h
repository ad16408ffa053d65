/* Words of the prompt beside the tutor's (tutor_word()): what the program around it can do, in
 * lines or in the screen. */
#ifndef ATTN_SHELL_ASIDES_H
#define ATTN_SHELL_ASIDES_H

#include "show/doc.h"

enum aside {
    ASIDE_EXERCISES,
    ASIDE_WORKSPACE,
    ASIDE_EXERCISE,
    ASIDE_CHECK,
    ASIDE_EXPLORE, /* this and those behind it: only in the screen */
    ASIDE_HOME,
    ASIDE_THEME,
    ASIDE_PALETTE,
    ASIDE_COUNT
};

enum { ASIDE_LINE_BYTES = 4200, ASIDE_MAX_WORDS = 2 };

/* A line that is one of them. */
struct aside_line {
    enum aside aside;
    char copy[ASIDE_LINE_BYTES];      /* of the line, cut at blanks */
    char *words[ASIDE_MAX_WORDS + 2]; /* the word and what is behind it, NULL */
    int n;
    const char *rest; /* all behind the word, in the line itself; quotes around it are left out */
    size_t rest_size;
};

/* True when the line begins with such a word and is no formula of a name like it. Words behind the
 * arguments that it may have make it none, but for explore, which takes all there is. */
bool aside_read(const char *line, bool in_screen, struct aside_line *ret);
/* The words that may begin a line: i from 0 on, NULL behind the last. */
const char *aside_word(size_t i);
const char *aside_screen_word(size_t i);
/* How word i is written, and what it does. False behind the last. */
bool aside_usage(size_t i, bool in_screen, const char **ret_usage, const char **ret_summary);

/* True when the line asks for help on one of them: adds what there is to say. */
bool aside_help(const char *line, bool in_screen, size_t width_cols, struct doc *out);
/* Adds the list of them, where the line asks for all help. */
void aside_list(const char *line, bool in_screen, struct doc *out);

#endif
