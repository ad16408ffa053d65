/* Where a wrong answer goes wrong and where it does not, in words: only what was seen. */
#ifndef ATTN_JUDGE_TELL_WHERE_H
#define ATTN_JUDGE_TELL_WHERE_H

#include "judge/find_misconception.h"

/* Adds a few sentences, or none when all cases are wrong alike: which arrays are right, with which
 * sizes ("Right in all cases with d_k = 1 (3 cases)"), else in which cases by their names.
 * answered: the cases and the probes that there are numbers for. */
void tell_where(const struct exercise *exercise, const struct answered_case *answered,
                size_t n_answered, struct text *text);

#endif
