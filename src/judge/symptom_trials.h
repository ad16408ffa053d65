/* The cases once more, each time with something changed that a right program does not notice: what
 * memory held before, or what was called before. */
#ifndef ATTN_JUDGE_SYMPTOM_TRIALS_H
#define ATTN_JUDGE_SYMPTOM_TRIALS_H

#include "judge/case_runner.h"

enum { TRIAL_MAX_CASES = 10 };

enum trial {
    TRIAL_SAME,      /* as in the judging: poison in the outputs, patterns in all else */
    TRIAL_AGAIN,     /* nothing is changed */
    TRIAL_BACKWARDS, /* in the reverse order, each case twice: the second answer counts */
    TRIAL_OUTPUTS_ZERO,
    TRIAL_OUTPUTS_ONE, /* the outputs hold 1 before the call */
    TRIAL_HEAP_ZERO,   /* what malloc() gives is all 0 */
    TRIAL_LOCALS_ZERO, /* local variables without a value begin at 0: another build */
    N_TRIALS
};

struct trials {
    struct case_runner runner;   /* a model of what runs them; it runs nothing */
    int zero_locals_fd;          /* the program for TRIAL_LOCALS_ZERO, or -1; the caller's */
    const struct case_run *runs; /* [n_cases] of the judging: the cases that are taken */
    size_t n_cases;
    const struct case_run *cases[TRIAL_MAX_CASES]; /* of runs: those that are wrong come first */
    size_t n;
    struct case_run answers[N_TRIALS][TRIAL_MAX_CASES];
    bool was_run[N_TRIALS];
    struct error *reterr;
};

/* Chooses small cases that were answered. runner: one that has run nothing; it is copied. */
void trials_init(struct trials *trials, const struct case_runner *runner,
                 const struct case_run *runs, size_t n_runs, struct error *reterr);
void trials_release(struct trials *trials);

/* Both trials are run where they were not yet. True when all answers are there in both, and in
 * some case they are not the same bit for bit. */
bool trials_differ(struct trials *trials, enum trial a, enum trial b);
/* All answers are there, and right. */
bool trial_is_right(struct trials *trials, enum trial trial);
/* The answers to trials->cases, or NULL where some are missing. Borrowed. */
const struct case_run *trial_answers(struct trials *trials, enum trial trial);

/* Which cells of an output no call ever wrote, in words: "Only the first row of context was
 * written." Tells of the largest case where all
 * have such cells, else of the first that has, with its name. False where there are none: cells
 * that were added to before they were set are none either. */
bool trials_tell_unwritten(struct trials *trials, struct text *text);
/* The output that is read before it is written, or NULL. */
const char *trials_output_read(struct trials *trials);

#endif
