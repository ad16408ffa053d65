/* See call_time.h. */
#include "judge/call_time.h"

#include <math.h>
#include <stdio.h>

#include "files/clock.h"
#include "judge/case_runner.h"

enum { LEAST_CALLS = 3 };

struct timing {
    const struct judge_setup *setup;
    const struct sizes *sizes;
    int program_fd;
    struct case_runner runner;
    bool started;
    double best_ns, trip_ns; /* of an empty call */
};

static bool draw(const struct timing *timing, unsigned i, struct fixture **ret,
                 struct error *reterr)
{
    const struct judge_plan *plan = &timing->setup->plan;
    return fixture_draw(plan->exercise, &plan->exercise->speed->timed, 0, plan->seed + i,
                        timing->sizes, false, plan->data_dir, ret, reterr);
}

static void begin(struct timing *timing, const struct fixture *fixture)
{
    const struct judge_plan *plan = &timing->setup->plan;
    case_runner_init(&timing->runner, plan->exercise, plan->limits, plan->layers,
                     timing->program_fd);
    runner_plan_fit(&timing->runner.plan, fixture);
    timing->started = true;
}

/* The first call touches much memory for the first time, and does not count. */
static void count(struct timing *timing, const struct case_run *run, unsigned i)
{
    struct runner_outcome nothing;
    if (i == 0)
        return;
    timing->best_ns = fmin(timing->best_ns, (double)run->spent_ns);
    runner_call_nothing(timing->runner.runner, &nothing);
    if (nothing.alive)
        timing->trip_ns = fmin(timing->trip_ns, (double)nothing.spent_ns);
}

static bool call(struct timing *timing, unsigned i, struct call_time *ret, struct error *reterr)
{
    struct fixture *fixture;
    struct case_run run;
    if (!draw(timing, i, &fixture, reterr))
        return false;
    if (!timing->started)
        begin(timing, fixture);
    bool ok = case_runner_run(&timing->runner, fixture, true, &run, reterr);
    if (ok) {
        ret->verdict = run.verdict;
        snprintf(ret->detail, sizeof ret->detail, "%s", run.detail);
        if (run.verdict == VERDICT_PASS)
            count(timing, &run, i);
        case_run_release(&run);
    }
    fixture_free(fixture);
    return ok;
}

bool call_time_measure(const struct judge_setup *setup, int program_fd, const struct sizes *sizes,
                       double seconds, struct call_time *ret, struct error *reterr)
{
    struct timing timing = {.setup = setup,
                            .sizes = sizes,
                            .program_fd = program_fd,
                            .best_ns = (double)INFINITY,
                            .trip_ns = (double)INFINITY};
    uint64_t end_ns = clock_ns() + (uint64_t)(1e9 * seconds);
    bool ok = true;
    *ret = (struct call_time){.verdict = VERDICT_PASS};
    for (unsigned i = 0; ok && ret->verdict == VERDICT_PASS; i++) {
        if (i > LEAST_CALLS && clock_ns() > end_ns)
            break;
        ok = call(&timing, i, ret, reterr);
    }
    if (timing.started)
        case_runner_release(&timing.runner);
    ret->best_ns = fmax(timing.best_ns - (isfinite(timing.trip_ns) ? timing.trip_ns : 0), 1);
    return ok;
}
