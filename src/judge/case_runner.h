/* One case before the judge: asked, answered, compared. */
#ifndef ATTN_JUDGE_CASE_RUNNER_H
#define ATTN_JUDGE_CASE_RUNNER_H

#include "judge/runner.h"

struct trial {
    struct fixture *fixture; /* borrowed; NULL: it was not tried */
    bool at_end;             /* see runner.h */
    bool answered;           /* there are numbers: answer and difference hold */
    bool unwritten;          /* cells of the answer still hold the keeper's poison */
    struct answer answer;
    struct difference difference;
    enum verdict verdict;
    char detail[96];
    uint64_t heap_bytes, elapsed_ns; /* see struct runner_outcome */
};

void trial_release(struct trial *trial); /* all zero bytes are nothing to release */
/* The numbers are there and they are wrong. */
bool trial_is_wrong(const struct trial *trial);

/* A program to try cases with, started when it is needed and again after it ended. */
struct court {
    const struct exercise *exercise;
    struct runner_plan plan;
    struct runner *runner; /* NULL: it does not run */
    unsigned n_starts;
    struct text *printed; /* where what it printed goes; or NULL */
};

/* Makes room for nothing yet: runner_plan_fit(&court->plan, ...) for each fixture to be tried. */
void court_init(struct court *court, const struct exercise *exercise, const struct limits *limits,
                unsigned layers, int program_fd, struct text *printed);
void court_release(struct court *court);
/* Tries one case. *ret is overwritten. False is our own failure, and *ret then holds nothing. */
bool court_try(struct court *court, struct fixture *fixture, bool at_end, struct trial *ret,
               struct error *reterr);

#endif
