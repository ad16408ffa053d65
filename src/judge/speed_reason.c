/* Why a program is too slow: see speed_reason.h. */
#include "judge/speed_reason.h"

#include <math.h>

#define LEAST_GAIN 1.1 /* more than two builds of the same program mostly differ by */

/* On a busy machine a try may leave it open: the next one has so many times as many rounds. */
enum { MOST_TRIES = 3, MORE_ROUNDS = 3 };

/* So much faster the program of a reason must become: a third of what it lacks, in factors. Other
 * code around a loop that waits for memory may gain half as much again by itself. */
static double gain_asked_for(const struct judge_plan *plan, const struct speed_result *speed)
{
    return fmax(LEAST_GAIN, cbrt(plan->exercise->speed->ratio / speed->ratio.value));
}

/* Is the program of fast_fd clearly faster than that of slow_fd, and so much? */
static bool is_faster(const struct judge_plan *plan, int fast_fd, int slow_fd, double least)
{
    struct exercise exercise = *plan->exercise;
    struct exercise_speed speed = *exercise.speed;
    struct speed_result gain = {.ratio = {.value = least, .high = least}};
    struct error error;
    exercise.speed = &speed;
    speed.kernel = NULL; /* which is of no interest here */
    for (int i = 0;
         i < MOST_TRIES && gain.ratio.high >= LEAST_GAIN && gain.ratio.value >= least / LEAST_GAIN;
         i++) {
        if (!speed_measure(&exercise, plan->limits, plan->layers, plan->seed, plan->data_dir,
                           fast_fd, slow_fd, &gain, &error))
            return false;
        if (gain.ratio.low >= LEAST_GAIN && gain.ratio.value >= least)
            return true;
        speed.rounds *= MORE_ROUNDS;
    }
    return false;
}

bool speed_reason_holds(const struct judge_setup *setup, const struct compile_request *request,
                        const struct misconception *idea, const char *file_name, const char *source,
                        size_t size, int program_fd, const struct speed_result *speed)
{
    struct compile_request with_options = *request;
    struct build build;
    with_options.also = &idea->faster_with;
    with_options.use_cache = false; /* it keeps one program, which is to be the learner's */
    with_options.kept = NULL;
    build_program(&with_options, &setup->runtime, file_name, source, size, &build);
    bool holds =
        build.verdict == VERDICT_PASS &&
        is_faster(&setup->plan, build.program_fd, program_fd, gain_asked_for(&setup->plan, speed));
    build_release(&build);
    return holds;
}
