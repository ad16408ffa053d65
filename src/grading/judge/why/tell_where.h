/* Where a wrong answer is wrong and where it is right, in words. It only reports observations. */
#ifndef ATTN_JUDGE_WHY_TELL_WHERE_H
#define ATTN_JUDGE_WHY_TELL_WHERE_H

#include "judge/why/find_mistake.h"

/* Adds a few sentences, or nothing if all cases are wrong in the same way: which arrays are right,
 * with which sizes ("Right in all cases with d_k = 1"), else in which cases, by their names, or
 * for which inputs. answered: the cases and probes that the program answered. hides_drawn: only a
 * public case is named. Nobody sees a probe: its name says what its inputs are. */
void tell_where(const struct exercise *exercise, const struct answered_case *answered,
                size_t n_answered, bool hides_drawn, struct text *text);

#endif
