/* Is it fast enough: see speed.h. */
#include "judge/speed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ATTEMPTS = 3 }; /* a busy machine gets a second and a third chance, a slow program too */

struct race {
    const struct exercise *exercise;
    const char *data_dir;
    uint64_t seed; /* of the next round */
    struct case_runner learner, plain;
    struct fixture *fixture;       /* of the round under way, or NULL */
    uint64_t learner_ns, plain_ns; /* the fastest round of each */
    struct case_run run;           /* the learner's last */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return b < a ? b : a;
}

static bool time_plain(struct race *race, struct error *reterr)
{
    struct case_run run;
    if (!case_runner_run(&race->plain, race->fixture, true, &run, reterr))
        return false;
    race->plain_ns = least(race->plain_ns, run.spent_ns);
    bool ok = run.verdict == VERDICT_PASS;
    if (!ok)
        error_set(reterr, ERR_FILE, "%s: the plain version to compare with fails: %s",
                  race->fixture->exercise->folder_name, verdict_name(run.verdict));
    case_run_release(&run);
    return ok;
}

static bool time_learner(struct race *race, struct error *reterr)
{
    case_run_release(&race->run);
    if (!case_runner_run(&race->learner, race->fixture, true, &race->run, reterr))
        return false;
    race->learner_ns = least(race->learner_ns, race->run.spent_ns);
    return true;
}

static double ratio_of(const struct race *race)
{
    return race->learner_ns > 0 ? (double)race->plain_ns / (double)race->learner_ns
                                : (double)INFINITY;
}

/* Inputs that neither program has seen: what was remembered is of no use. */
static bool draw_round(struct race *race, struct error *reterr)
{
    fixture_free(race->fixture);
    race->fixture = NULL;
    return fixture_draw_speed(race->exercise, race->seed++, race->data_dir, &race->fixture, reterr);
}

/* Ends early when the learner's answer is wrong. */
static bool run_rounds(struct race *race, unsigned n_rounds, struct error *reterr)
{
    for (unsigned i = 0; i < n_rounds; i++) {
        if (!draw_round(race, reterr) || !time_plain(race, reterr) || !time_learner(race, reterr))
            return false;
        if (race->run.verdict != VERDICT_PASS)
            return true;
    }
    return true;
}

static void sum_up(const struct race *race, const struct exercise_speed *speed,
                   struct speed_result *ret)
{
    ret->max_abs_error = race->run.answered ? race->run.difference.max_abs_error : (double)NAN;
    if (race->run.verdict != VERDICT_PASS) {
        ret->verdict = race->run.verdict;
        memcpy(ret->detail, race->run.detail, sizeof ret->detail);
        return;
    }
    ret->ratio = ratio_of(race);
    ret->verdict = ret->ratio >= speed->ratio ? VERDICT_PASS : VERDICT_TOO_SLOW;
    snprintf(ret->detail, sizeof ret->detail,
             "%.1f times as fast as the plain version; %.1f times is asked for", ret->ratio,
             speed->ratio);
}

bool speed_measure(const struct exercise *exercise, const struct limits *limits, unsigned layers,
                   uint64_t seed, const char *data_dir, int program_fd, int plain_program_fd,
                   struct speed_result *ret, struct error *reterr)
{
    struct race race = {.exercise = exercise,
                        .data_dir = data_dir,
                        .seed = seed,
                        .learner_ns = UINT64_MAX,
                        .plain_ns = UINT64_MAX};
    *ret = (struct speed_result){.verdict = VERDICT_INTERNAL_ERROR, .name = "speed"};
    if (!draw_round(&race, reterr)) /* its sizes are those of all rounds */
        return false;
    case_runner_init(&race.learner, exercise, limits, layers, program_fd);
    case_runner_init(&race.plain, exercise, limits, layers, plain_program_fd);
    runner_plan_fit(&race.learner.plan, race.fixture);
    runner_plan_fit(&race.plain.plan, race.fixture);
    bool ok = true;
    for (int i = 0; ok && i < MAX_ATTEMPTS; i++) {
        ok = run_rounds(&race, exercise->speed->rounds, reterr);
        if (race.run.verdict != VERDICT_PASS || ratio_of(&race) >= exercise->speed->ratio)
            break;
    }
    if (ok)
        sum_up(&race, exercise->speed, ret);
    case_run_release(&race.run);
    case_runner_release(&race.learner);
    case_runner_release(&race.plain);
    fixture_free(race.fixture);
    return ok;
}
