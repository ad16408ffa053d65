/* Is it fast enough, and why not: see speed_internal.h; how long a call takes: see speed.h. */
#include "judge/speed_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exercise/expression.h"
#include "files/clock.h"
#include "graph/node.h"
#include "kernel/threads.h"
#include "sandbox/system.h"

/* ---- medians ---- */

#define MEDIAN_ERROR 0.001

enum { MEDIAN_LEAST = 10 }; /* fewer measurements can't be that sure: low and high are the ends */

unsigned median_rank(unsigned n)
{
    double exactly = ldexp(1, -(int)n), fewer = exactly; /* heads: k, and at most k, of n tosses */
    unsigned k = 0;
    while (fewer <= MEDIAN_ERROR && k < n) {
        exactly *= (double)(n - k) / (double)(k + 1);
        fewer += exactly;
        k++;
    }
    return k > 0 ? k : 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct median median_of(double *values, unsigned n)
{
    unsigned k = median_rank(n);
    qsort(values, n, sizeof *values, compare);
    return (struct median){values[k - 1], values[(n - 1) / 2], values[n - k]};
}

/* ---- the speed of a program ---- */

/* The times of each round, in ns of processor time. */
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

/* The median over the rounds of the ratio of other[i], without its other_trip_ns that are not work,
 * to the learner's time without the round trip. */
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

/* ---- how long a call takes ---- */

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

/* ---- why a program is too slow ---- */

#define LEAST_GAIN 1.1 /* more than two builds of the same program mostly differ by */

#define CLEAR_LOSS 0.8 /* no other program makes that of a gain */

/* Another program on the same core takes from fast loops the parts that slow ones leave unused,
 * which hides any gain, for some seconds at a time: tries after the first wait longer and longer
 * for a quiet time, and have this many times as many rounds. */
enum { MOST_TRIES = 6, MORE_ROUNDS = 3, FIRST_PAUSE_MS = 100 };

static void wait_ms(long ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&left, NULL); /* a signal ends it early */
}

/* How much faster the program must become if its reason holds. One that is about as fast as the
 * plain loops lacks what they lack: any clear gain shows it. A slower one wastes time besides, and
 * other code around a loop that waits for memory may gain half as much again by itself; the gain
 * that is asked for grows with the root of how slow it is, without a jump, since the same program
 * measures a tenth more or less from run to run. */
static double gain_asked_for(const struct speed_result *speed)
{
    const double as_plain = 0.85;
    return LEAST_GAIN * fmax(1, sqrt(as_plain / speed->ratio.value));
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
    bool holds = build.verdict == VERDICT_PASS &&
                 is_faster(&setup->plan, build.program_fd, program_fd, gain_asked_for(speed));
    build_release(&build);
    return holds;
}
