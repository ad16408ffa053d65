/* Is it fast enough? Measured in processor time, as a ratio to a plain version that is timed beside
 * it: neither the machine matters nor what else it does.
 *
 * The rule: in each of exercise->speed->rounds rounds, whose number nobody chooses once they have
 * begun, the plain version and then the learner's are called on the same new inputs. What the round
 * trip of an empty call takes is taken off both times, and their ratio is one measurement. A
 * learner's program passes when the upper end of the interval for the median of the ratios
 * (median.h) reaches exercise->speed->ratio. So one that is as fast as that fails by chance once in
 * a thousand times at the most, and none is measured twice.
 *
 * What is told beside that decides nothing: attn's own kernel (exercise->speed->kernel) takes its
 * turn in the same rounds, in one thread, and the steps of the exercise are named by the medians.
 */
#ifndef ATTN_JUDGE_SPEED_H
#define ATTN_JUDGE_SPEED_H

#include "judge/case_runner.h"
#include "judge/median.h"

struct speed_result {
    enum verdict verdict;      /* PASS, TOO_SLOW, or what went wrong */
    char detail[DETAIL_BYTES]; /* "1.2 times as fast as the plain version (31 rounds say 1.1
                                * to 1.3); 1.6 times is asked for" */
    char name[48];             /* of the case */
    struct median ratio;     /* the plain version's time over the learner's; all 0: not measured */
    struct median of_kernel; /* the kernel's time over the learner's; all 0: not measured */
    double max_abs_error;
};

/* Runs both programs in turns, each in a box of its own. What the learner's answers is compared
 * like in any other case, in each round. False is our own failure. */
bool speed_measure(const struct exercise *exercise, const struct limits *limits, unsigned layers,
                   uint64_t seed, const char *data_dir, int program_fd, int plain_program_fd,
                   struct speed_result *ret, struct error *reterr);

/* Tells where the program stands: its speed beside the plain version and attn's kernel, the steps
 * that it has reached, and the next one. Nothing where nothing was measured. */
void speed_tell(const struct exercise_speed *speed, const struct speed_result *result,
                struct text *text);

/* A ratio as people are told it: two digits, rounded down, so that none is said to reach what it
 * does not. Returns text. */
char *speed_ratio_text(double ratio, char text[16]);

#endif
