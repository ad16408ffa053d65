/* How long a call of a program takes, with sizes of the caller's choice: to be shown, not judged.
 * speed_internal.h has the measurement that a verdict rests on. */
#ifndef ATTN_JUDGE_SPEED_H
#define ATTN_JUDGE_SPEED_H

#include "judge/judge.h"

struct call_time {
    enum verdict verdict;      /* PASS; else what went wrong, and best_ns does not hold */
    char detail[DETAIL_BYTES]; /* or "" */
    double best_ns;            /* processor time of the quickest call, without the round trip */
};

/* Calls the program at program_fd with the given sizes, each time on new inputs of the speed case,
 * until `seconds` have passed, at least three times. Each answer is compared. False is attn's own
 * failure. */
bool call_time_measure(const struct judge_setup *setup, int program_fd, const struct sizes *sizes,
                       double seconds, struct call_time *ret, struct error *reterr);

#endif
