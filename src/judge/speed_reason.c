/* Why a program is too slow: see speed_reason.h. */
#include "judge/speed_reason.h"

#include "judge/speed.h"

#define LEAST_GAIN 1.1 /* more than two builds of the same program differ by */

bool speed_reason_holds(const struct judge_setup *setup, const struct compile_request *request,
                        const struct misconception *idea, const char *file_name, const char *source,
                        size_t size, int program_fd)
{
    const struct judge_plan *plan = &setup->plan;
    struct compile_request with_options = *request;
    struct speed_result gain = {.verdict = VERDICT_INTERNAL_ERROR};
    struct build build;
    struct error error;
    with_options.also = &idea->faster_with;
    with_options.use_cache = false; /* it keeps one program, which is to be the learner's */
    with_options.kept = NULL;
    build_program(&with_options, &setup->runtime, file_name, source, size, &build);
    bool holds = build.verdict == VERDICT_PASS &&
                 speed_measure(plan->exercise, plan->limits, plan->layers, plan->seed,
                               plan->data_dir, build.program_fd, program_fd, &gain, &error) &&
                 gain.ratio.low >= LEAST_GAIN;
    build_release(&build);
    return holds;
}
