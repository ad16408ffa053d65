/* Is it fast enough: see speed.h. */
#include "judge/speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/expression.h"
#include "files/clock.h"
#include "graph/node.h"
#include "kernel/threads.h"
#include "sandbox/system.h"

/* What was measured in each round, in ns of processor time. */
struct race_times {
    double *plain, *learner; /* what the first points to is freed, and holds all five */
    double *kernel;          /* of attn's, in this process; not of an exercise without one */
    double *nothing; /* an empty call of the plain version's program, which nobody has changed */
    double *ratios;
};

struct race {
    const struct exercise *exercise;
    const char *data_dir;
    uint64_t seed; /* of the next round */
    struct case_runner learner, plain;
    struct fixture *fixture; /* of the round under way, or NULL */
    struct race_times times;
    struct case_run run; /* the learner's last */
};

static bool plain_fails(const struct race *race, enum verdict verdict, struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "%s: the plain version to compare with fails: %s",
                     race->exercise->folder_name, verdict_name(verdict));
}

/* The plain version and an empty call. */
static bool time_plain(struct race *race, double *ret_ns, double *ret_nothing_ns,
                       struct error *reterr)
{
    struct case_run run;
    struct runner_outcome nothing;
    if (!case_runner_run(&race->plain, race->fixture, true, &run, reterr))
        return false;
    enum verdict verdict = run.verdict;
    *ret_ns = (double)run.spent_ns;
    case_run_release(&run);
    if (verdict != VERDICT_PASS)
        return plain_fails(race, verdict, reterr);
    runner_call_nothing(race->plain.runner, &nothing);
    *ret_nothing_ns = (double)nothing.spent_ns;
    return nothing.alive || plain_fails(race, nothing.verdict, reterr);
}

static bool time_learner(struct race *race, double *ret_ns, struct error *reterr)
{
    case_run_release(&race->run);
    if (!case_runner_run(&race->learner, race->fixture, true, &race->run, reterr))
        return false;
    *ret_ns = (double)race->run.spent_ns;
    return true;
}

/* attn's kernel on the inputs of the round, the quicker of two times: the first call brings them
 * near, as the copying before their calls does for the programs. */
static bool time_kernel(const struct race *race, double *ret_ns, struct error *reterr)
{
    const char *kernel = race->exercise->speed->kernel;
    *ret_ns = (double)INFINITY;
    for (int i = 0; kernel != NULL && i < 2; i++) {
        uint64_t began_ns = clock_spent_ns();
        struct node *node = expression_value(race->fixture->session, kernel, reterr);
        *ret_ns = fmin(*ret_ns, (double)(clock_spent_ns() - began_ns));
        node_free(node);
        if (node == NULL)
            return false;
    }
    return true;
}

/* Inputs that neither program has seen: what was remembered is of no use. */
static bool draw_round(struct race *race, struct error *reterr)
{
    fixture_free(race->fixture);
    race->fixture = NULL;
    return fixture_draw_speed(race->exercise, race->seed++, race->data_dir, &race->fixture, reterr);
}

/* Round i; round 0 is run once more before it counts, since a first call touches much memory for
 * the first time. */
static bool run_round(struct race *race, unsigned i, struct error *reterr)
{
    const struct race_times *times = &race->times;
    return draw_round(race, reterr) &&
           time_plain(race, &times->plain[i], &times->nothing[i], reterr) &&
           time_learner(race, &times->learner[i], reterr) &&
           time_kernel(race, &times->kernel[i], reterr);
}

/* Ends early when the learner's answer is wrong. */
static bool run_rounds(struct race *race, unsigned n_rounds, struct error *reterr)
{
    bool ok = run_round(race, 0, reterr);
    for (unsigned i = 0; ok && race->run.verdict == VERDICT_PASS && i < n_rounds; i++)
        ok = run_round(race, i, reterr);
    return ok;
}

/* The ratio of other[i], of which other_trip_ns are no work, to the learner's time without the
 * round trip, for each round, in their median. */
static struct median ratio_of(const struct race_times *times, const double *other,
                              double other_trip_ns, double trip_ns, unsigned n_rounds)
{
    for (unsigned i = 0; i < n_rounds; i++)
        times->ratios[i] = fmax(other[i] - other_trip_ns, 1) / fmax(times->learner[i] - trip_ns, 1);
    return median_of(times->ratios, n_rounds);
}

char *speed_ratio_text(double ratio, char text[16])
{
    int digits = ratio < 1 ? 2 : ratio < 10 ? 1 : 0;
    double unit = digits == 2 ? 100 : digits == 1 ? 10 : 1;
    snprintf(text, 16, "%.*f", digits, fmin(floor(ratio * unit) / unit, 1e9));
    return text;
}

static void name_steps(const struct exercise_speed *speed, const struct speed_result *result,
                       struct text *text)
{
    unsigned n_reached = 0;
    bool half = speed->kernel != NULL && result->of_kernel.value >= 0.5;
    while (n_reached < speed->steps.n && result->ratio.value >= speed->steps.items[n_reached])
        n_reached++;
    for (unsigned i = 0; i < n_reached; i++)
        text_format(text, "%s%gx", i == 0 ? " Reached: " : ", ", speed->steps.items[i]);
    if (half)
        text_format(text, "%shalf of attn's kernel", n_reached == 0 ? " Reached: " : ", ");
    text_put(text, n_reached > 0 || half ? "." : "");
    if (n_reached < speed->steps.n)
        text_format(text, " The next step is %gx.", speed->steps.items[n_reached]);
    else if (speed->kernel != NULL && !half)
        text_put(text, " The next step is half of attn's kernel.");
}

void speed_tell(const struct exercise_speed *speed, const struct speed_result *result,
                struct text *text)
{
    char ratio[16], of_kernel[16];
    if (!(result->ratio.value > 0) || (speed->kernel == NULL && speed->steps.n == 0))
        return;
    text_format(text, "Your speed: %s times that of the plain loops",
                speed_ratio_text(result->ratio.value, ratio));
    if (speed->kernel != NULL)
        text_format(text, ", %s of that of attn's kernel",
                    speed_ratio_text(result->of_kernel.value, of_kernel));
    text_put(text, ", all in turns in one run.");
    name_steps(speed, result, text);
}

static void sum_up(const struct race *race, const struct exercise_speed *speed,
                   struct speed_result *ret)
{
    char value[16], low[16], high[16];
    ret->max_abs_error = race->run.answered ? race->run.difference.max_abs_error : (double)NAN;
    if (race->run.verdict != VERDICT_PASS) {
        ret->verdict = race->run.verdict;
        snprintf(ret->detail, sizeof ret->detail, "%s", race->run.detail);
        return;
    }
    const struct race_times *times = &race->times;
    double trip_ns = median_of(times->nothing, speed->rounds).value;
    ret->ratio = ratio_of(times, times->plain, trip_ns, trip_ns, speed->rounds);
    if (speed->kernel != NULL)
        ret->of_kernel = ratio_of(times, times->kernel, 0, trip_ns, speed->rounds);
    ret->verdict = ret->ratio.high >= speed->ratio ? VERDICT_PASS : VERDICT_TOO_SLOW;
    snprintf(ret->detail, sizeof ret->detail,
             "%s times as fast as the plain version (%u rounds say %s to %s); %.3g times is asked "
             "for",
             speed_ratio_text(ret->ratio.value, value), speed->rounds,
             speed_ratio_text(ret->ratio.low, low), speed_ratio_text(ret->ratio.high, high),
             speed->ratio);
}

static bool race_begin(struct race *race, const struct limits *limits, unsigned layers,
                       int program_fd, int plain_program_fd, struct error *reterr)
{
    unsigned n = race->exercise->speed->rounds;
    race->times.plain = calloc((size_t)5 * n, sizeof *race->times.plain);
    if (race->times.plain == NULL)
        return error_memory(reterr, "a measurement");
    race->times.learner = race->times.plain + n;
    race->times.nothing = race->times.plain + (size_t)2 * n;
    race->times.ratios = race->times.plain + (size_t)3 * n;
    race->times.kernel = race->times.plain + (size_t)4 * n;
    if (!draw_round(race, reterr)) /* its sizes are those of all rounds */
        return false;
    case_runner_init(&race->learner, race->exercise, limits, layers, program_fd);
    case_runner_init(&race->plain, race->exercise, limits, layers, plain_program_fd);
    runner_plan_fit(&race->learner.plan, race->fixture);
    runner_plan_fit(&race->plain.plan, race->fixture);
    return true;
}

bool speed_measure(const struct exercise *exercise, const struct limits *limits, unsigned layers,
                   uint64_t seed, const char *data_dir, int program_fd, int plain_program_fd,
                   struct speed_result *ret, struct error *reterr)
{
    struct race race = {.exercise = exercise, .data_dir = data_dir, .seed = seed};
    *ret = (struct speed_result){.verdict = VERDICT_INTERNAL_ERROR, .name = "speed"};
    struct system_processor_set processors;
    size_t n_threads = threads_most();
    system_stay_on_processor(&processors);
    threads_set(1);
    bool ok = race_begin(&race, limits, layers, program_fd, plain_program_fd, reterr) &&
              run_rounds(&race, exercise->speed->rounds, reterr);
    if (ok)
        sum_up(&race, exercise->speed, ret);
    case_run_release(&race.run);
    case_runner_release(&race.learner);
    case_runner_release(&race.plain);
    fixture_free(race.fixture);
    free(race.times.plain);
    threads_set(n_threads);
    system_leave_processor(&processors);
    return ok;
}
