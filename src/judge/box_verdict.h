/* What the end of a box says about the program in it. */
#ifndef ATTN_JUDGE_BOX_VERDICT_H
#define ATTN_JUDGE_BOX_VERDICT_H

#include "sandbox/box.h"
#include "report/verdict.h"

/* The verdict on a program that ended like this, though more was expected of it; so it is never
 * VERDICT_PASS. Decided in this order: internal_error, time_limit, output_limit,
 * forbidden_syscall, memory_limit, crash, exited_early. BOX_KILLED is taken for the end of the
 * wall clock: a caller who had another reason knows better. The detail is "wall", "cpu", the name
 * of the call or of the signal, "exit code N" or the failure; it is cut to capacity bytes. */
enum verdict box_verdict(const struct box_end *end, const struct box_limits *limits, char *detail,
                         size_t capacity);

/* "SIGSEGV", or "signal 42" for one without a name, in name. Returns name. */
char *signal_name(int signal, char name[24]);

#endif
