/* Running one case: the program is asked, and what it answers is compared. */
#ifndef ATTN_JUDGE_CASE_RUNNER_H
#define ATTN_JUDGE_CASE_RUNNER_H

#include "judge/runner.h"

struct case_run {
    struct fixture *fixture; /* borrowed; NULL: it was not tried */
    bool at_end;             /* see runner.h */
    bool answered;           /* there are numbers: answer and difference hold */
    bool unwritten;          /* cells of the answer still hold attn's poison */
    bool refused_memory;     /* malloc() returned NULL in the call: a hint */
    struct answer answer;
    struct difference difference;
    enum verdict verdict;
    char detail[DETAIL_BYTES];
    uint64_t heap_bytes, spent_ns; /* see struct runner_outcome */
};

void case_run_release(struct case_run *run); /* all zero bytes: there is nothing to release */
/* There are numbers and they are wrong. */
bool case_run_is_wrong(const struct case_run *run);

/* Runs cases in one program, which is started when it is needed, and again after it ended. */
struct case_runner {
    const struct exercise *exercise;
    struct runner_plan plan;
    struct runner *runner; /* NULL: it does not run */
    unsigned n_starts;
    uint64_t memory_bytes; /* the most that the programs that were stopped held; 0: not known */
    struct text *printed; /* gets what the program prints, up to limits->text_kept_bytes; or NULL */
};

/* There is room for no array yet: call runner_plan_fit(&runner->plan, ...) for each fixture that
 * will be run. What the program prints is dropped until runner->printed is set. exercise and limits
 * are borrowed. */
void case_runner_init(struct case_runner *runner, const struct exercise *exercise,
                      const struct limits *limits, unsigned layers, int program_fd);
void case_runner_release(struct case_runner *runner);
/* Starts the program, unless it runs: the system makes it ready while something else is done. False
 * is attn's own failure. */
bool case_runner_start(struct case_runner *runner, struct error *reterr);
/* Runs one case. *ret is overwritten. False is attn's own failure, and *ret then holds nothing. */
bool case_runner_run(struct case_runner *runner, struct fixture *fixture, bool at_end,
                     struct case_run *ret, struct error *reterr);

#endif
