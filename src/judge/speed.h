/* Is it fast enough? Measured in processor time, as a ratio to a plain version that is timed beside
 * it: neither the machine matters nor what else it does. */
#ifndef ATTN_JUDGE_SPEED_H
#define ATTN_JUDGE_SPEED_H

#include "judge/case_runner.h"

struct speed_result {
    enum verdict verdict; /* PASS, TOO_SLOW, or what went wrong */
    char detail[96];      /* "1.8 times as fast as the plain version; 3 are asked for" */
    char name[48];        /* of the case */
    double ratio;         /* the plain version's time over the learner's; 0: not measured */
    double max_abs_error;
};

/* Runs both programs in alternation, each in a box of its own, and takes the fastest round of each;
 * every round has new inputs.
 * What the learner's answers is compared like in any other case. False is our own failure. */
bool speed_measure(const struct exercise *exercise, const struct limits *limits, unsigned layers,
                   uint64_t seed, const char *data_dir, int program_fd, int plain_program_fd,
                   struct speed_result *ret, struct error *reterr);

#endif
