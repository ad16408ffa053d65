/* Failing cases made small enough to look at. */
#ifndef ATTN_JUDGE_SHRINK_H
#define ATTN_JUDGE_SHRINK_H

#include "judge/case_runner.h"

/* Starts from a case whose numbers are wrong and draws it with smaller sizes, and with rounder
 * numbers, as long as the program's answer stays wrong. True when a smaller one was found: *ret
 * (whose fixture is the caller's to free) replaces it. That there is no smaller one is not a
 * failure. */
bool case_shrink(struct case_runner *runner, const struct case_run *failing, const char *data_dir,
                 struct case_run *ret);

#endif
