/* Is a program fast enough? Its speed is measured in processor time, as a ratio to a plain version
 * that is timed beside it, so that neither the machine nor its other work matters.
 *
 * The rule: there are exercise->speed->rounds rounds, a number that nobody changes once they have
 * begun. In each round the plain version and then the learner's are called on the same new inputs.
 * The cost of the round trip of an empty call is subtracted from both times, and their ratio is one
 * measurement. A learner's program passes when the upper end of the interval for the median of the
 * ratios reaches exercise->speed->ratio. So a program that is exactly that fast fails by chance at
 * most once in a thousand times, and no program is measured twice.
 *
 * Two more figures are shown, and decide nothing: attn's own kernel (exercise->speed->kernel) takes
 * its turn in the same rounds, in one thread, and the medians say which steps of the exercise were
 * reached. */
#ifndef ATTN_JUDGE_SPEED_INTERNAL_H
#define ATTN_JUDGE_SPEED_INTERNAL_H

#include "judge/judge.h"
#include "judge/speed.h"

/* The median of measurements that disturbances have spread, and how certain it is. */
struct median {
    double low, value, high; /* the true median lies below low, and above high, with a probability
                              * of at most 0.001 each */
};

/* The ends of the interval are the measurements at this rank, from 1, from below and from above:
 * the largest rank k for which fewer than k of n tosses of a coin show heads with a probability of
 * at most 0.001. Below 10 measurements no rank is that certain: the result is 1. The rule assumes
 * nothing about how measurements are spread, only that each lies on either side of the true median
 * with the same probability, whatever the others did.
 * Source: W. R. Thompson 1936, "On confidence ranges for the median", Ann. Math. Statist. 7. */
unsigned median_rank(unsigned n);
/* Sorts values[0..n), n from 1 to 1000. For an even n the lower of the two in the middle. */
struct median median_of(double *values, unsigned n);

struct speed_result {
    enum verdict verdict;      /* PASS, TOO_SLOW, or what went wrong */
    char detail[DETAIL_BYTES]; /* "1.2 times as fast as the plain version (31 rounds say 1.1
                                * to 1.3); 1.6 times is asked for" */
    char name[48];             /* of the case */
    struct median ratio;     /* the plain version's time over the learner's; all 0: not measured */
    struct median of_kernel; /* the kernel's time over the learner's; all 0: not measured */
    double max_abs_error;
};

/* Runs both programs in turns, each in a box of its own. The learner's answer is compared in each
 * round as in any other case. False is attn's own failure. */
bool speed_measure(const struct exercise *exercise, const struct limits *limits, unsigned layers,
                   uint64_t seed, const char *data_dir, int program_fd, int plain_program_fd,
                   struct speed_result *ret, struct error *reterr);

/* Adds where the program stands: its speed beside the plain version and attn's kernel, the steps
 * that it has reached, and the next one. Adds nothing if nothing was measured. */
void speed_tell(const struct exercise_speed *speed, const struct speed_result *result,
                struct text *text);
/* A ratio for a person: two digits, rounded down, so that no program is said to reach a step that
 * it does not reach. Returns text. */
char *speed_ratio_text(double ratio, char text[16]);

/* Does the idea explain why the measured program at program_fd is too slow? It does when the
 * program's file, source[0..size), compiled with idea->faster_with as well, gains a good part of
 * the speed that it lacks. request is the one that the program was built with. If the file can't be
 * built or run so, the answer is no. */
bool speed_reason_holds(const struct judge_setup *setup, const struct compile_request *request,
                        const struct misconception *idea, const char *file_name, const char *source,
                        size_t size, int program_fd, const struct speed_result *speed);

#endif
