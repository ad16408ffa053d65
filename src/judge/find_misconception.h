/* Which misunderstanding do wrong answers show? */
#ifndef ATTN_JUDGE_FIND_MISCONCEPTION_H
#define ATTN_JUDGE_FIND_MISCONCEPTION_H

#include "exercise/fixture.h"

enum { DIAGNOSIS_MAX_IDEAS = 2 };

struct diagnosis {
    const struct misconception *ideas[DIAGNOSIS_MAX_IDEAS]; /* of the exercise, or in words */
    size_t n_ideas;                                         /* 0: no idea gives these numbers */
    struct arena words;                                     /* of ideas that attn found by itself */
};
void diagnosis_release(struct diagnosis *diagnosis); /* may be all zero bytes */

/* One answered case. */
struct answered_case {
    struct fixture *fixture;
    const struct answer *answer;
};

/* The misconception, or with pairs the two of them, that give the learner's numbers in every
 * answered case that it applies to, at least one failing one among them. Where several do (they
 * can't be told apart on these cases), the one that applies to most cases, then the author's order.
 */
bool misconception_find(const struct exercise *exercise, const struct answered_case *answered,
                        size_t n_answered, bool pairs, struct diagnosis *ret, struct error *reterr);

/* The misconception that shows in this verdict (misconception.verdict), or NULL. */
const struct misconception *misconception_of_verdict(const struct exercise *exercise,
                                                     enum verdict verdict);

/* Adds what to say: what attn found, the question, the stage, the line of mathematics. */
void misconception_explain(const struct misconception *idea, struct text *text);

#endif
