/* How long a call of a program takes, with sizes of one's own: for showing, not for judging. */
#ifndef ATTN_JUDGE_CALL_TIME_H
#define ATTN_JUDGE_CALL_TIME_H

#include "judge/judge.h"

struct call_time {
    enum verdict verdict;      /* PASS, or what went wrong: then there is no time */
    char detail[DETAIL_BYTES]; /* or "" */
    double best_ns;            /* processor time of the quickest call, without the round trip */
};

/* Calls the program at program_fd on new inputs of the speed case each time, in the sizes given,
 * until so many seconds have passed, at least three times. Each answer is compared. False is our
 * own failure. */
bool call_time_measure(const struct judge_setup *setup, int program_fd, const struct sizes *sizes,
                       double seconds, struct call_time *ret, struct error *reterr);

#endif
