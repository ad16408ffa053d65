/* The cases once more: the same inputs must give the same bits each time, and no call may keep
 * memory. */
#ifndef ATTN_JUDGE_REPEAT_H
#define ATTN_JUDGE_REPEAT_H

#include "judge/case_runner.h"

#define NONDETERMINISTIC "nondeterministic" /* the detail of such a WRONG_ANSWER */

/* What the repeats came to: PASS, or a verdict that weighs more than what was seen before. */
struct repeat_finding {
    enum verdict verdict;
    char detail[DETAIL_BYTES];
};

/* Are they the same bit for bit? A NaN is as good as another one. */
bool answers_same(const struct fixture *fixture, const struct answer *a, const struct answer *b);

/* Runs all cases that were answered again, in the reverse order, several times: runner is one whose
 * program has not been started, so that what depends on where the system put it shows. A case that
 * is right in its first run and not the same again gets WRONG_ANSWER NONDETERMINISTIC, one that
 * ends the program that verdict. False is attn's own failure. */
bool cases_repeat(struct case_runner *runner, struct case_run *runs, size_t n,
                  struct repeat_finding *ret, struct error *reterr);
/* The same for one case, which is run once more. */
bool case_repeat(struct case_runner *runner, struct case_run *run, struct repeat_finding *ret,
                 struct error *reterr);

#endif
