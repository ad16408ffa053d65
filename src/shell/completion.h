/* How a line at the prompt may go on. */
#ifndef ATTN_SHELL_COMPLETION_H
#define ATTN_SHELL_COMPLETION_H

#include "course/player/tutor.h"

struct completions {
    size_t start;      /* the word to be completed is line[start..at) */
    struct text words; /* what it may become, each with a NUL after it */
    size_t n;
    size_t n_shared; /* all of them begin with the same bytes, so many */
};

/* The words that the word before byte `at` of line may become: at the beginning of a line also the
 * words of the course and of the program (of the screen, in_screen), after `load` and `save` names
 * of files, else what the language knows. *ret, which may be all zero bytes, is filled again, and
 * is the caller's to release. Without memory there are none. */
void completions_find(struct tutor *tutor, bool in_screen, const char *line, size_t at,
                      struct completions *ret);
void completions_release(struct completions *completions);
/* True in a line in which file names are completed. */
bool completion_names_file(const char *line);

#endif
