/* The judge: see judge.h. */
#include "judge/judge.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/clock.h"
#include "judge/sanitizer_rerun.h"
#include "judge/shrink.h"
#include "judge/speed.h"
#include "judge/case_runner.h"

enum {
    MAX_STARTS = 4, /* of a program that crashes, so that the cases behind it are judged too */
    /* Of the first case, at the end. glibc keeps up to 7 freed blocks of a size apart and counts
     * them as used, so that a heap that does not leak stands still only after 8 calls. */
    N_REPEATS = 11,
};

/* ---- the bench ---- */

static struct compile_request request_of(const struct bench *bench)
{
    return (struct compile_request){.compiler = bench->plan.compiler,
                                    .exercise = bench->plan.exercise,
                                    .limits = bench->plan.limits,
                                    .layers = bench->plan.layers,
                                    .use_cache = bench->plan.use_cache};
}

static bool build_plain(struct bench *bench, struct error *reterr)
{
    const struct exercise *exercise = bench->plan.exercise;
    struct compile_request request = request_of(bench);
    struct build build;
    if (exercise->speed == NULL)
        return true;
    build_program(&request, &bench->runtime, exercise->speed->plain, exercise->plain,
                  strlen(exercise->plain), &build);
    bool ok = build.verdict == VERDICT_PASS;
    if (!ok)
        error_set(reterr, ERR_FILE, "%s/%s: it can't be built: %s", exercise->folder_name,
                  exercise->speed->plain, text_string(&build.messages));
    bench->plain_program_fd = build.program_fd;
    build.program_fd = -1;
    build_release(&build);
    return ok;
}

bool bench_open(const struct bench_plan *plan, struct bench *ret, struct error *reterr)
{
    struct bench bench = {.plan = *plan, .plain_program_fd = -1};
    struct compile_request request = request_of(&bench);
    if (!fixtures_draw(plan->exercise, plan->seed, false, plan->data_dir, &bench.cases, reterr) ||
        !runtime_build(&request, &bench.runtime, reterr) || !build_plain(&bench, reterr)) {
        bench_close(&bench);
        return false;
    }
    *ret = bench;
    return true;
}

void bench_close(struct bench *bench)
{
    fixtures_release(&bench->cases);
    runtime_release(&bench->runtime);
    if (bench->plain_program_fd >= 0)
        close(bench->plain_program_fd);
    bench->plain_program_fd = -1;
}

/* ---- a hearing: one submission before the judge ---- */

struct hearing {
    const struct bench *bench;
    struct judgement *judgement;
    int program_fd;
    unsigned wishes;
    struct trial *trials; /* [bench->cases.n] */
    struct error error;   /* what failed on our side; kind ERR_NONE: nothing */
};

static struct result *result_of(struct hearing *hearing)
{
    return &hearing->judgement->result;
}

/* Says the verdict; without memory for its detail there is none. */
static void decide(struct hearing *hearing, enum verdict verdict, const char *detail)
{
    struct result *result = result_of(hearing);
    result->verdict = verdict;
    free(result->detail);
    result->detail = strdup(detail);
}

static bool is_decided(struct hearing *hearing)
{
    return result_of(hearing)->verdict != VERDICT_PASS;
}

static struct court open_court(struct hearing *hearing)
{
    const struct bench_plan *plan = &hearing->bench->plan;
    struct court court;
    court_init(&court, plan->exercise, plan->limits, plan->layers, hearing->program_fd,
               &hearing->judgement->printed);
    return court;
}

/* The usual cases are those without a memory limit of their own. */
static bool is_usual(const struct fixture *fixture)
{
    return fixture->memory_bytes == 0;
}

static void make_room(struct court *court, const struct fixtures *fixtures)
{
    for (size_t i = 0; i < fixtures->n; i++)
        if (is_usual(fixtures->items[i]))
            runner_plan_fit(&court->plan, fixtures->items[i]);
}

/* After a crash the other cases still say something; after the rest they would say the same. */
static bool goes_on_after(enum verdict verdict)
{
    return verdict == VERDICT_CRASH || verdict == VERDICT_OUT_OF_BOUNDS;
}

/* A NaN may be what lies beside an array. With the array at the other end of its slot a step too
 * far to the other side is no NaN but a fault, and that is the better name. Takes trial's place
 * where it is one. */
static bool try_at_other_end(struct hearing *hearing, struct court *court, struct trial *trial)
{
    struct trial other;
    if (trial->verdict != VERDICT_NON_FINITE)
        return true;
    if (!court_try(court, trial->fixture, !trial->at_end, &other, &hearing->error))
        return false;
    if (other.verdict == VERDICT_OUT_OF_BOUNDS) {
        trial_release(trial);
        *trial = other;
    } else {
        trial_release(&other);
    }
    return true;
}

/* Tries case i; returns whether the next one is worth trying. */
static bool try_case(struct hearing *hearing, struct court *court, size_t i)
{
    struct trial *trial = &hearing->trials[i];
    if (!court_try(court, hearing->bench->cases.items[i], i % 2 == 0, trial, &hearing->error) ||
        !try_at_other_end(hearing, court, trial))
        return false;
    return court->runner != NULL || (goes_on_after(trial->verdict) && court->n_starts < MAX_STARTS);
}

static bool is_about_numbers(enum verdict verdict)
{
    return verdict == VERDICT_WRONG_ANSWER || verdict == VERDICT_NON_FINITE;
}

/* A fault of the program weighs more than wrong numbers; among equals the first case counts. */
static bool weighs_more(enum verdict a, enum verdict b)
{
    if (b == VERDICT_PASS)
        return a != VERDICT_PASS;
    return is_about_numbers(b) && !is_about_numbers(a) && a != VERDICT_PASS;
}

static bool same_bits(const struct fixture *fixture, const struct answer *a, const struct answer *b)
{
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (a->floats[i] != NULL &&
            memcmp(a->floats[i], b->floats[i], fixture->arrays[i].n_bytes) != 0)
            return false;
    return true;
}

/* Repeats the first case: the same inputs must give the same bits, and its heap may not grow. */
static void repeat_first(struct hearing *hearing, struct court *court)
{
    const struct trial *first = &hearing->trials[0];
    uint64_t heap[N_REPEATS] = {0};
    if (court->runner == NULL || first->fixture == NULL || !first->answered || first->unwritten)
        return;
    for (int i = 0; i < N_REPEATS; i++) {
        struct trial again;
        if (!court_try(court, first->fixture, first->at_end, &again, &hearing->error))
            return;
        enum verdict verdict = again.verdict;
        bool same = again.answered && same_bits(first->fixture, &first->answer, &again.answer);
        heap[i] = again.heap_bytes;
        char detail[sizeof again.detail];
        memcpy(detail, again.detail, sizeof detail);
        trial_release(&again);
        if (!is_about_numbers(verdict) && weighs_more(verdict, first->verdict)) {
            decide(hearing, verdict, detail);
            return;
        }
        if (!same) {
            decide(hearing, VERDICT_WRONG_ANSWER, "nondeterministic");
            return;
        }
    }
    const uint64_t *last = &heap[N_REPEATS - 3];
    if (last[0] < last[1] && last[1] < last[2] && !is_decided(hearing)) {
        char detail[64];
        snprintf(detail, sizeof detail, "%llu bytes a call",
                 (unsigned long long)(last[2] - last[1]));
        decide(hearing, VERDICT_LEAK, detail);
    }
}

/* ---- what the trials come to ---- */

/* The trial that the verdict rests on, or NULL when all passed. */
static const struct trial *deciding_trial(const struct hearing *hearing)
{
    const struct trial *deciding = NULL;
    for (size_t i = 0; i < hearing->bench->cases.n; i++) {
        const struct trial *trial = &hearing->trials[i];
        enum verdict so_far = deciding != NULL ? deciding->verdict : VERDICT_PASS;
        if (trial->fixture != NULL && weighs_more(trial->verdict, so_far))
            deciding = trial;
    }
    return deciding;
}

static void decide_by_trials(struct hearing *hearing)
{
    const struct trial *deciding = deciding_trial(hearing);
    if (deciding != NULL)
        decide(hearing, deciding->verdict, deciding->detail);
}

static void report_cases(struct hearing *hearing)
{
    for (size_t i = 0; i < hearing->bench->cases.n; i++) {
        const struct trial *trial = &hearing->trials[i];
        if (trial->fixture != NULL)
            result_add_case(result_of(hearing), trial->fixture->name, trial->verdict,
                            trial->answered ? trial->difference.max_abs_error : (double)NAN,
                            &hearing->error);
    }
}

/* The smallest case whose numbers are wrong, or NULL. */
static const struct trial *smallest_wrong(const struct hearing *hearing)
{
    const struct trial *smallest = NULL;
    for (size_t i = 0; i < hearing->bench->cases.n; i++) {
        const struct trial *trial = &hearing->trials[i];
        if (trial_is_wrong(trial) &&
            (smallest == NULL || trial->fixture->n_cells < smallest->fixture->n_cells))
            smallest = trial;
    }
    return smallest;
}

/* ---- why ---- */

/* The first stage that departs, by the exercise's probes. */
static const char *first_wrong_stage(struct hearing *hearing)
{
    const struct bench_plan *plan = &hearing->bench->plan;
    struct fixtures probes = {0};
    struct court court = open_court(hearing);
    const char *stage = NULL;
    court.printed = NULL;
    bool ok =
        fixtures_draw(plan->exercise, plan->seed, true, plan->data_dir, &probes, &hearing->error);
    if (ok)
        make_room(&court, &probes);
    for (size_t i = 0; ok && i < probes.n && stage == NULL; i++) {
        struct trial trial = {0};
        ok = court_try(&court, probes.items[i], true, &trial, &hearing->error);
        if (ok && trial.verdict != VERDICT_PASS)
            stage = probes.items[i]->source->stage;
        trial_release(&trial);
    }
    court_release(&court);
    fixtures_release(&probes);
    return stage;
}

static void name_ideas(struct hearing *hearing)
{
    const struct diagnosis *diagnosis = &hearing->judgement->diagnosis;
    for (size_t i = 0; i < diagnosis->n_ideas; i++) {
        struct text say = {0};
        misconception_say(diagnosis->ideas[i], &say);
        if (say.failed)
            error_memory(&hearing->error, "a diagnosis");
        else
            result_add_idea(result_of(hearing), diagnosis->ideas[i]->id, text_string(&say),
                            &hearing->error);
        text_release(&say);
    }
}

/* The misunderstanding behind the numbers, or behind the verdict. */
static void find_idea(struct hearing *hearing)
{
    const struct exercise *exercise = hearing->bench->plan.exercise;
    struct diagnosis *diagnosis = &hearing->judgement->diagnosis;
    struct answered *answered = calloc(hearing->bench->cases.n, sizeof *answered);
    size_t n = 0;
    if (answered == NULL) {
        error_memory(&hearing->error, "a diagnosis");
        return;
    }
    for (size_t i = 0; i < hearing->bench->cases.n; i++)
        if (hearing->trials[i].answered)
            answered[n++] =
                (struct answered){hearing->trials[i].fixture, &hearing->trials[i].answer};
    if (smallest_wrong(hearing) != NULL)
        diagnose(exercise, answered, n, diagnosis, &hearing->error);
    free(answered);
    const struct misconception *shown = diagnose_verdict(exercise, result_of(hearing)->verdict);
    if (diagnosis->n_ideas == 0 && shown != NULL)
        diagnosis->ideas[diagnosis->n_ideas++] = shown;
    name_ideas(hearing);
    if (diagnosis->n_ideas == 0 && smallest_wrong(hearing) != NULL && exercise->n_probes > 0)
        diagnosis->stage = first_wrong_stage(hearing);
}

/* ---- what is shown of it ---- */

/* Takes the answer over. */
static void show_trial(struct judgement *judgement, struct trial *trial, bool owns_fixture)
{
    judgement->fixture = trial->fixture;
    judgement->owns_fixture = owns_fixture;
    if (trial->answered) {
        judgement->answer = trial->answer;
        judgement->difference = trial->difference;
        trial->answer = (struct answer){0};
    }
}

/* Chooses the case that a person is shown, and makes it smaller. */
static void choose_case(struct hearing *hearing, struct court *court)
{
    const struct trial *chosen = smallest_wrong(hearing);
    const struct trial *deciding = deciding_trial(hearing);
    struct trial small;
    if (deciding != NULL && !trial_is_wrong(deciding))
        chosen = deciding;
    if (chosen == NULL)
        return;
    if ((hearing->wishes & JUDGE_SHRINK) && trial_is_wrong(chosen) &&
        shrink(court, chosen, hearing->bench->plan.data_dir, &small))
        show_trial(hearing->judgement, &small, true);
    else
        show_trial(hearing->judgement, &hearing->trials[chosen - hearing->trials], false);
}

static void take_advice(struct hearing *hearing, const char *file_name, const char *source,
                        size_t size)
{
    enum verdict verdict = result_of(hearing)->verdict;
    struct compile_request request = request_of(hearing->bench);
    if (!(hearing->wishes & JUDGE_ADVICE) || hearing->judgement->fixture == NULL ||
        (verdict != VERDICT_CRASH && verdict != VERDICT_OUT_OF_BOUNDS))
        return;
    advice_run(&request, file_name, source, size, hearing->judgement->fixture,
               &hearing->judgement->advice);
}

/* ---- the hearing ---- */

static void hear_usual_cases(struct hearing *hearing)
{
    struct court court = open_court(hearing);
    make_room(&court, &hearing->bench->cases);
    bool goes_on = true;
    for (size_t i = 0; i < hearing->bench->cases.n && goes_on; i++)
        if (is_usual(hearing->bench->cases.items[i]))
            goes_on = try_case(hearing, &court, i);
    decide_by_trials(hearing);
    if (hearing->error.kind == ERR_NONE)
        repeat_first(hearing, &court);
    court_release(&court);
    if (is_decided(hearing) && hearing->error.kind == ERR_NONE) {
        court = open_court(hearing);
        court.printed = NULL; /* it asks again what was asked before */
        make_room(&court, &hearing->bench->cases);
        find_idea(hearing);
        choose_case(hearing, &court);
        court_release(&court);
    }
}

/* Each in a program of its own, which gets so much memory and no more. */
static void hear_memory_cases(struct hearing *hearing)
{
    const struct fixtures *cases = &hearing->bench->cases;
    for (size_t i = 0; i < cases->n && !is_decided(hearing); i++) {
        if (is_usual(cases->items[i]))
            continue;
        struct court court = open_court(hearing);
        runner_plan_fit(&court.plan, cases->items[i]);
        if (court_try(&court, cases->items[i], true, &hearing->trials[i], &hearing->error) &&
            hearing->trials[i].verdict != VERDICT_PASS) {
            decide_by_trials(hearing);
            find_idea(hearing);
        }
        court_release(&court);
    }
}

static void hear_speed(struct hearing *hearing)
{
    const struct bench *bench = hearing->bench;
    struct speed_result speed;
    if (bench->plan.exercise->speed == NULL || is_decided(hearing))
        return;
    if (!speed_measure(bench->plan.exercise, bench->plan.limits, bench->plan.layers,
                       bench->plan.seed, bench->plan.data_dir, hearing->program_fd,
                       bench->plain_program_fd, &speed, &hearing->error))
        return;
    result_add_case(result_of(hearing), speed.name, speed.verdict, speed.max_abs_error,
                    &hearing->error);
    decide(hearing, speed.verdict, speed.detail);
    if (is_decided(hearing))
        find_idea(hearing);
}

static void hear(struct hearing *hearing, const char *file_name, const char *source, size_t size)
{
    hearing->trials = calloc(hearing->bench->cases.n, sizeof *hearing->trials);
    if (hearing->trials == NULL) {
        error_memory(&hearing->error, "the cases");
        return;
    }
    hear_usual_cases(hearing);
    if (hearing->error.kind == ERR_NONE && !is_decided(hearing))
        hear_memory_cases(hearing);
    report_cases(hearing);
    if (hearing->error.kind == ERR_NONE)
        hear_speed(hearing);
    if (hearing->error.kind == ERR_NONE)
        take_advice(hearing, file_name, source, size);
    for (size_t i = 0; i < hearing->bench->cases.n; i++)
        trial_release(&hearing->trials[i]);
    free(hearing->trials);
}

/* The next letter of text that is no space, from *at on; '\0' at the end. */
static char next_solid(const char *text, size_t size, size_t *at)
{
    while (*at < size && isspace((unsigned char)text[*at]))
        (*at)++;
    return *at < size ? text[(*at)++] : '\0';
}

/* Is it the starter, but for spaces and the ends of lines? */
static bool is_starter(const struct exercise *exercise, const char *source, size_t size)
{
    size_t in_starter = 0, in_source = 0, starter_size = strlen(exercise->starter);
    char a, b;
    do {
        a = next_solid(exercise->starter, starter_size, &in_starter);
        b = next_solid(source, size, &in_source);
    } while (a == b && a != '\0');
    return a == b;
}

/* Brings a program; false when there is none, and then the verdict is said. */
static bool bring_program(struct hearing *hearing, const char *file_name, const char *source,
                          size_t size)
{
    struct build *build = &hearing->judgement->build;
    struct compile_request request = request_of(hearing->bench);
    if (is_starter(hearing->bench->plan.exercise, source, size)) {
        decide(hearing, VERDICT_NOT_IMPLEMENTED, "");
        return false;
    }
    build_program(&request, &hearing->bench->runtime, file_name, source, size, build);
    decide(hearing, build->verdict, build->detail);
    hearing->program_fd = build->program_fd;
    return !is_decided(hearing);
}

/* All of the points for a pass; for wrong numbers as many as there are right cases; else none. */
static double score_of(const struct result *result)
{
    size_t n_passed = 0;
    if (result->verdict == VERDICT_PASS)
        return result->max_score;
    if (!is_about_numbers(result->verdict))
        return 0;
    for (size_t i = 0; i < result->n_cases; i++)
        n_passed += result->cases[i].verdict == VERDICT_PASS;
    if (n_passed == result->n_cases) /* right each time, and different each time */
        return 0;
    double share = (double)n_passed / (double)result->n_cases;
    return floor(share * result->max_score * 100) / 100;
}

void judge(const struct bench *bench, const char *file_name, const char *source, size_t size,
           unsigned wishes, struct judgement *ret)
{
    uint64_t began_ns = clock_ns();
    *ret = (struct judgement){.build.program_fd = -1};
    result_init(&ret->result);
    ret->result.verdict = VERDICT_PASS;
    ret->result.max_score = bench->plan.exercise->score;
    struct hearing hearing = {.bench = bench, .judgement = ret, .wishes = wishes};
    if (bring_program(&hearing, file_name, source, size))
        hear(&hearing, file_name, source, size);
    if (hearing.error.kind != ERR_NONE)
        decide(&hearing, VERDICT_INTERNAL_ERROR, hearing.error.text);
    ret->result.score = score_of(&ret->result);
    ret->result.time_ms = (double)(clock_ns() - began_ns) / 1e6;
}

void judgement_release(struct judgement *judgement)
{
    result_release(&judgement->result);
    build_release(&judgement->build);
    answer_release(&judgement->answer);
    if (judgement->owns_fixture)
        fixture_free(judgement->fixture);
    text_release(&judgement->printed);
    text_release(&judgement->advice);
    *judgement = (struct judgement){.build.program_fd = -1};
}
