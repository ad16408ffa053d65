/* The cases once more, each time with a change that a right program does not notice: other contents
 * of memory, another order of calls, other sizes. */
#ifndef ATTN_JUDGE_WHY_SYMPTOM_TRIALS_INTERNAL_H
#define ATTN_JUDGE_WHY_SYMPTOM_TRIALS_INTERNAL_H

#include "judge/run/case_runner.h"

enum { TRIAL_MAX_CASES = 10 };

enum trial {
    TRIAL_SAME,         /* as for the verdict: poison in the outputs, patterns in other memory */
    TRIAL_AGAIN,        /* the same a second time */
    TRIAL_BACKWARDS,    /* in the reverse order, each case twice: the second answer counts */
    TRIAL_OUTPUTS_ZERO, /* the outputs hold 0 before the call */
    TRIAL_OUTPUTS_ONE,  /* the outputs hold 1 before the call */
    TRIAL_HEAP_ZERO,    /* the bytes that malloc() gives are all 0 */
    TRIAL_LOCALS_ZERO,  /* local variables without a value begin at 0: another build */
    N_TRIALS
};

struct trials {
    struct case_runner runner;   /* is copied for each trial; it runs nothing itself */
    int zero_locals_fd;          /* the program for TRIAL_LOCALS_ZERO, or -1; the caller's */
    const struct case_run *runs; /* [n_cases] for the verdict: the cases are taken from these */
    size_t n_cases;
    const struct case_run *cases[TRIAL_MAX_CASES]; /* of runs, wrong ones first */
    size_t n;
    struct case_run answers[N_TRIALS][TRIAL_MAX_CASES];
    bool was_run[N_TRIALS];
    struct error *reterr;
};

/* Chooses small cases that were answered. runner has run nothing; it is copied. */
void trials_init(struct trials *trials, const struct case_runner *runner,
                 const struct case_run *runs, size_t n_runs, struct error *reterr);
void trials_release(struct trials *trials);

/* The functions below run the trials that they need and that were not run yet. */

/* Did both trials get all answers, and do some answers differ in a bit? */
bool trials_differ(struct trials *trials, enum trial a, enum trial b);
/* Did the trial get all answers, and are all of them right? */
bool trial_is_right(struct trials *trials, enum trial trial);
/* The answers to trials->cases; NULL if some are missing. Borrowed. */
const struct case_run *trial_answers(struct trials *trials, enum trial trial);

/* Adds a sentence that says which cells of an output no call ever wrote: "Only the first row of
 * context was written." It is about the largest case if all cases have such cells, else about the
 * first that has, with its name; where drawn cases are hidden only a public one has a name. False
 * if no case has any. Cells that were added to before they were set do not count. */
bool trials_tell_unwritten(struct trials *trials, bool hides_drawn, struct text *text);
/* The name of an output that is read before it is written, or NULL. */
const char *trials_output_read(struct trials *trials);

/* ---- other sizes ----
 *
 * One size stands where another belongs if the numbers are right wherever the two are equal,
 * whatever the other sizes are, and wrong where they differ. */

/* All borrowed. */
struct sizes_question {
    const struct fixtures *cases; /* one of them is drawn again with other sizes */
    const char *data_dir;
    uint64_t seed;
    const struct case_runner *runner; /* is copied; it runs nothing itself */
};

/* Two parameters of the prototype, and values of theirs with which the program is wrong. */
struct size_mistake {
    unsigned one, other;
    double one_value, other_value; /* an example */
    bool goes_beyond;              /* in the example an index goes beyond an array */
    bool one_is_too_large;         /* it does so only where `one` is the larger */
};

/* Runs the submission on cases of other sizes. False: no two sizes fit, or *reterr. */
bool find_size_mistake(const struct sizes_question *question, struct size_mistake *ret,
                       struct error *reterr);

#endif
