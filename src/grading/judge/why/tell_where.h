/* Where a wrong answer is wrong and where it is right, in words. It only reports observations. */
#ifndef ATTN_JUDGE_WHY_TELL_WHERE_H
#define ATTN_JUDGE_WHY_TELL_WHERE_H

#include "judge/why/find_mistake.h"

/* Adds a few sentences, or nothing if all cases are wrong in the same way: which arrays are right,
 * with which sizes ("Right in all cases with d_k = 1 (3 cases)"), else in which cases, by their
 * names. answered: the cases and probes that the program answered. */
void tell_where(const struct exercise *exercise, const struct answered_case *answered,
                size_t n_answered, struct text *text);

#endif
