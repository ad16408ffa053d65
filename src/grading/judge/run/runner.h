/* attn's side of a run: a program in its box, which is asked one case after another.
 *
 * Before each case attn fills the outputs with poison and the room around all arrays with canaries.
 * After the case attn copies the outputs once, and judges the copy. In every second case the arrays
 * lie at the end of their slots of shared memory, in the others at the beginning. So one step too
 * far on either side reaches a page that may not be touched.
 *
 * Poison and canaries are NaNs whose payload is drawn for each case. So attn can tell a cell that
 * was not written from a NaN that was, and no program can know what to put back. */
#ifndef ATTN_JUDGE_RUN_RUNNER_H
#define ATTN_JUDGE_RUN_RUNNER_H

#include "exercise/fixture.h"
#include "judge/run/bounds.h"
#include "sandbox/box.h"

/* The contents of memory that the function has not set yet. A number that changes with them was
 * read too early. All zero bytes: the usual contents. */
struct leftovers {
    bool is_number; /* the outputs hold `number` in place of poison */
    float number;
    bool zero_heap; /* the bytes that malloc() gives are all 0; else they are a pattern */
};

struct runner_plan {
    const struct limits *limits;
    unsigned layers;
    int program_fd;                          /* the caller's */
    size_t memory_bytes;                     /* fixture.memory_bytes; 0: the usual limits */
    uint64_t slot_bytes[FIXTURE_MAX_ARRAYS]; /* room for each array, in whole pages */
    bool shows;                              /* room for the matrices that the program shows */
    struct leftovers leftovers;
};

/* A plan in which no array has room yet. */
void runner_plan_init(struct runner_plan *plan, const struct limits *limits, unsigned layers,
                      int program_fd);
/* Makes room for the arrays of a fixture. */
void runner_plan_fit(struct runner_plan *plan, const struct fixture *fixture);
/* The memory that a program may have, "512 MiB". refused: the limit up to which malloc() gives
 * memory; else the limit at which the program is ended. Returns text. */
const char *runner_plan_memory_limit(const struct runner_plan *plan, bool refused,
                                     char text[LIMIT_TEXT]);

/* The result of one call. */
struct runner_outcome {
    enum verdict verdict; /* PASS: the program answered, and only its numbers are left to judge */
    char detail[DETAIL_BYTES];
    bool alive;          /* the program can be asked again */
    bool poisoned;       /* the answer has cells that were never written */
    uint64_t heap_bytes; /* in use after the call: a hint */
    bool refused_memory; /* malloc() returned NULL in the call: a hint */
    uint64_t spent_ns;   /* processor time since the answer before, so that work between the calls
                          * counts too. Where the system does not give it: the time from the
                          * request to the reply */
};

struct runner;

/* Starts the program. *plan is copied, and its program_fd stays open. False is attn's own failure.
 */
bool runner_start(const struct runner_plan *plan, const struct exercise *exercise,
                  struct runner **ret, struct error *reterr);
/* Asks for one case. at_end: the arrays lie at the end of their slots. *ret_answer comes from
 * answer_init(), and gets the outputs if outcome.verdict is PASS. */
void runner_call(struct runner *runner, const struct fixture *fixture, bool at_end,
                 struct answer *ret_answer, struct runner_outcome *ret);
/* Asks the program to answer without calling the function: then spent_ns is the cost of a round
 * trip. The arrays stay as they are. May only follow a call. */
void runner_call_nothing(struct runner *runner, struct runner_outcome *ret);
/* The shared memory that the program writes its matrices into; NULL if the plan has no room for
 * them. It may be read after the program's end too, until runner_stop(). */
const volatile struct wire_shown *runner_shown(const struct runner *runner);
void runner_stop(struct runner *runner); /* ends the program; NULL is allowed */

/* The position of exercise->arrays[array] among the arguments of the function. The returned float
 * comes after all of them. */
unsigned slots_argument(const struct exercise *exercise, unsigned array);
/* A by-value argument as a request holds it: the bits of a float, else a whole number. */
uint64_t slots_scalar(const struct param *param, double value);

#endif
