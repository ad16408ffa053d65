/* attn's side of a run: a program in its box, asked case after case.
 *
 * Before each case attn fills the outputs with NaNs of a fresh payload and the room around
 * the arrays with canaries; after it, it copies the outputs once and judges the copy. The arrays
 * lie at the end of their slot in every second case, at its begin in the others, so that a step too
 * far on either side meets a page that may not be touched. */
#ifndef ATTN_JUDGE_RUNNER_H
#define ATTN_JUDGE_RUNNER_H

#include "sandbox/box.h"
#include "exercise/fixture.h"
#include "judge/bounds.h"

/* What memory holds before the function sets it. Numbers that change with it were read too early.
 * All zero bytes: as always. */
struct leftovers {
    bool is_number; /* the outputs hold `number`, and no poison */
    float number;
    bool zero_heap; /* what malloc() gives is all 0, and no pattern */
};

struct runner_plan {
    const struct limits *limits;
    unsigned layers;
    int program_fd;                          /* the caller's */
    size_t memory_bytes;                     /* of fixture.memory_bytes: 0 for the usual limits */
    uint64_t slot_bytes[FIXTURE_MAX_ARRAYS]; /* room for each array; whole pages */
    bool shows;                              /* room for what the program shows of itself */
    struct leftovers leftovers;
};

/* A plan in which no array has room yet. */
void runner_plan_init(struct runner_plan *plan, const struct limits *limits, unsigned layers,
                      int program_fd);
/* Makes room for the arrays of a fixture. */
void runner_plan_fit(struct runner_plan *plan, const struct fixture *fixture);
/* Is there room for them? */
bool runner_plan_holds(const struct runner_plan *plan, const struct fixture *fixture);
/* How much memory a program may have, "512 MiB": what it may ask malloc() for (refused), or what it
 * may use until it is ended. Returns text. */
const char *runner_plan_memory_limit(const struct runner_plan *plan, bool refused,
                                     char text[LIMIT_TEXT]);

/* What came of one call. */
struct runner_outcome {
    enum verdict verdict; /* PASS: it answered, and nothing but the numbers is left to judge */
    char detail[DETAIL_BYTES];
    bool alive;          /* it can be asked again */
    bool poisoned;       /* the answer has cells that were never written */
    uint64_t heap_bytes; /* in use after the call: a hint */
    bool refused_memory; /* malloc() returned NULL in the call: a hint */
    uint64_t spent_ns;   /* processor time since the answer before, so that work between the calls
                          * counts too; where the system does not tell it, the time from the request
                          * to the reply */
};

struct runner;

/* Starts the program. Failures are ours. The plan's program stays open; *plan is copied. */
bool runner_start(const struct runner_plan *plan, const struct exercise *exercise,
                  struct runner **ret, struct error *reterr);
/* Asks for one case. at_end: the arrays lie at the end of their slots. *ret_answer (from
 * answer_init()) gets the outputs where outcome.verdict is PASS. */
void runner_call(struct runner *runner, const struct fixture *fixture, bool at_end,
                 struct answer *ret_answer, struct runner_outcome *ret);
/* Asks the program to answer without a call, which tells in spent_ns what a round trip takes. What
 * lies in the arrays stays. Only after a call. */
void runner_call_nothing(struct runner *runner, struct runner_outcome *ret);
/* What it shows: see slots_shown(). Also after its end. */
const volatile struct wire_shown *runner_shown(const struct runner *runner);
/* What it printed so far, bounded. Borrowed. */
const struct text *runner_printed(const struct runner *runner);
/* The most memory that it held so far, or until its end; 0 where the system does not tell. */
uint64_t runner_memory_bytes(const struct runner *runner);
void runner_stop(struct runner *runner); /* ends the program; NULL is nothing to stop */

#endif
