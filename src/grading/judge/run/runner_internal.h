/* The parts of a run that other files of this room use too. */
#ifndef ATTN_JUDGE_RUN_RUNNER_INTERNAL_H
#define ATTN_JUDGE_RUN_RUNNER_INTERNAL_H

#include "judge/run/runner.h"
#include "result/result.h"

/* The verdict on a program that ended like this although more was expected of it; so it is never
 * VERDICT_PASS. The first of these that holds: internal_error, time_limit, output_limit,
 * forbidden_syscall, memory_limit, crash, exited_early. BOX_KILLED counts as the end of the wall
 * clock: a caller who killed the box for another reason knows better. The detail is "wall", "cpu",
 * the name of the system call or of the signal, "exit code N", or the failure; it is cut to
 * capacity bytes. */
enum verdict box_verdict(const struct box_end *end, const struct box_limits *limits, char *detail,
                         size_t capacity);
/* "SIGSEGV", or "signal 42" for a signal without a name, in name. Returns name. */
char *signal_name(int signal, char name[24]);

/* Does the plan have room for the arrays of the fixture? */
bool runner_plan_holds(const struct runner_plan *plan, const struct fixture *fixture);
/* The text that the program printed so far, bounded. Borrowed. */
const struct text *runner_printed(const struct runner *runner);
/* The most memory that the program held so far, or until its end; 0 where the system does not say.
 */
uint64_t runner_memory_bytes(const struct runner *runner);

/* The form of the function that the next calls ask for, of those that the program holds. */
void runner_choose_variant(struct runner *runner, uint64_t variant);

#endif
