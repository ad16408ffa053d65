/* Completions of a line at the prompt. */
#ifndef ATTN_SHELL_COMPLETION_H
#define ATTN_SHELL_COMPLETION_H

#include "course/player/tutor.h"

struct completions {
    size_t start;      /* the word to be completed is line[start..at) */
    struct text words; /* its completions, each with a NUL after it */
    size_t n;
    size_t n_shared; /* bytes with which all of them begin */
};

/* The completions of the word before byte `at` of line: at the beginning of a line also the words
 * of the course and of the program (of the screen, in_screen), after `load` and `save` names of
 * files, else names of the language. *ret, which may be all zero bytes, is filled again; the caller
 * releases it. Without memory it is empty. */
void completions_find(struct tutor *tutor, bool in_screen, const char *line, size_t at,
                      struct completions *ret);
void completions_release(struct completions *completions);
/* True for a line in which file names are completed. */
bool completion_names_file(const char *line);

#endif
