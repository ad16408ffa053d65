/* Why a program is too slow: see speed_reason.h. */
#include "judge/speed_reason.h"

#include <math.h>
#include <time.h>

#define LEAST_GAIN 1.1 /* more than two builds of the same program mostly differ by */
#define CLEAR_LOSS 0.8 /* no other program makes that of a gain */

/* Another program on the same core takes from fast loops what slow ones leave unused, so that no
 * gain is left, for some seconds at a time: tries after the first wait longer and longer for one
 * without, and have so many times as many rounds. */
enum { MOST_TRIES = 6, MORE_ROUNDS = 3, FIRST_PAUSE_MS = 100 };

static void wait_ms(long ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&left, NULL); /* a signal ends it early */
}

/* So much faster the program of a reason must become. One about as fast as the plain loops lacks
 * what they lack: any clear gain shows it. A slower one wastes time besides, and other code around
 * a loop that waits for memory may gain half as much again by itself: a third of all that it lacks,
 * in factors. */
static double gain_asked_for(const struct judge_plan *plan, const struct speed_result *speed)
{
    const double as_plain = 0.85;
    return speed->ratio.value >= as_plain
               ? LEAST_GAIN
               : fmax(LEAST_GAIN, cbrt(plan->exercise->speed->ratio / speed->ratio.value));
}

/* Is the program of fast_fd clearly faster than that of slow_fd, and so much? */
static bool is_faster(const struct judge_plan *plan, int fast_fd, int slow_fd, double least)
{
    struct exercise exercise = *plan->exercise;
    struct exercise_speed speed = *exercise.speed;
    exercise.speed = &speed;
    speed.kernel = NULL; /* which is of no interest here */
    for (int i = 0; i < MOST_TRIES; i++) {
        struct speed_result gain;
        struct error error;
        if (i == 1)
            speed.rounds *= MORE_ROUNDS;
        if (i > 0)
            wait_ms(FIRST_PAUSE_MS << (i - 1));
        if (!speed_measure(&exercise, plan->limits, plan->layers, plan->seed, plan->data_dir,
                           fast_fd, slow_fd, &gain, &error))
            return false;
        if (gain.ratio.low >= LEAST_GAIN && gain.ratio.value >= least)
            return true;
        if (gain.ratio.high < CLEAR_LOSS)
            return false;
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
