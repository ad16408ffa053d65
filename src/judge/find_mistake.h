/* Which mistake gives a submission's wrong numbers? The exercise's own misconceptions come first,
 * then the changes that assets/edits.yaml can make to its stages (diagnose/search.h). */
#ifndef ATTN_JUDGE_FIND_MISTAKE_H
#define ATTN_JUDGE_FIND_MISTAKE_H

#include "diagnose/edits.h"
#include "judge/case_runner.h"
#include "judge/find_misconception.h"

struct mistake_question {
    const struct exercise *exercise;
    const struct edits *edits; /* NULL: those of data_dir, read when they are needed */
    const char *data_dir;
    uint64_t seed; /* of the run; fresh inputs are drawn from another that follows from it */
    const struct answered_case *answered; /* [n] the cases that there are numbers for */
    size_t n;
    struct case_runner *runner; /* runs the submission on fresh inputs; it has run nothing yet */
    size_t most_steps;          /* that are worked out for pairs of changes; 0: no pairs */
};

/* Fills ret->ideas, whose words live as long as *ret: diagnosis_release(). What is named holds in
 * all answered cases that it says anything of, and on fresh inputs too, on some of which the right
 * formula gives other numbers. False is attn's own failure. */
bool find_mistake(const struct mistake_question *question, struct diagnosis *ret,
                  struct error *reterr);

#endif
