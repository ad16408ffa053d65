/* Which mistake gives a submission's wrong numbers? The exercise's own misconceptions are tried
 * first, then the changes that assets/edits.yaml can make to its stages (diagnose/search.h). */
#ifndef ATTN_JUDGE_WHY_FIND_MISTAKE_H
#define ATTN_JUDGE_WHY_FIND_MISTAKE_H

#include "diagnose/edits.h"
#include "exercise/fixture.h"
#include "judge/run/case_runner.h"

enum { DIAGNOSIS_MAX_IDEAS = 2 };

struct diagnosis {
    const struct misconception *ideas[DIAGNOSIS_MAX_IDEAS]; /* the exercise's, or in words */
    size_t n_ideas;                                         /* 0: no idea was found */
    struct arena words;                                     /* holds the ideas that attn wrote */
};
void diagnosis_release(struct diagnosis *diagnosis); /* all zero bytes are allowed */

/* A case and the answer that a program gave to it. */
struct answered_case {
    struct fixture *fixture;
    const struct answer *answer;
};

/* Finds the misconception of the exercise, or with pairs the two misconceptions, that give the
 * learner's numbers in every answered case that they apply to; at least one of these cases must
 * have failed. If several do, the cases can't tell them apart: the one that applies to most cases
 * is taken, then the first in the file. ret->n_ideas 0: none does. */
bool misconception_find(const struct exercise *exercise, const struct answered_case *answered,
                        size_t n_answered, bool pairs, struct diagnosis *ret, struct error *reterr);
/* The misconception that the exercise has for this verdict (misconception.verdict), or NULL. */
const struct misconception *misconception_of_verdict(const struct exercise *exercise,
                                                     enum verdict verdict);
/* Adds the idea in words: the observation, the question, the stage, the line of mathematics. */
void misconception_explain(const struct misconception *idea, struct text *text);

struct mistake_question {
    const struct exercise *exercise;
    const struct edits *edits; /* NULL: those of data_dir, read when they are needed */
    const char *data_dir;
    uint64_t seed; /* of the run; fresh inputs are drawn from another seed that follows from it */
    const struct answered_case *answered; /* [n] */
    size_t n;
    struct case_runner *runner; /* runs the submission on fresh inputs; it has run nothing yet */
    size_t most_steps;          /* that may be computed for pairs of changes; 0: no pairs */
};

/* Fills ret->ideas, whose words live until diagnosis_release(ret). The named idea gives the
 * learner's numbers in all answered cases that it says anything about, and on fresh inputs too, on
 * some of which the right formula gives other numbers. False is attn's own failure. */
bool find_mistake(const struct mistake_question *question, struct diagnosis *ret,
                  struct error *reterr);

#endif
