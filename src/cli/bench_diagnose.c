/* attn bench diagnose: how long the search for a mistake takes (diagnose/search.h), on wrong
 * answers that changes of the formula itself give, so that no program is built or run. */
#include "cli/bench_diagnose.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/cli.h"
#include "diagnose/search.h"
#include "exercise/exercises.h"
#include "files/clock.h"
#include "judge/why/stage_formula.h"

enum {
    MISTAKES = 15,        /* of each kind that are looked for */
    ROUNDS = 5,           /* of what is tried in vain */
    MOST_STEPS = 1000000, /* that are worked out for pairs, as in grading */
    MOST_CELLS = 4000     /* of a case, as in grading */
};

static const double most_singles_ms = 50, most_pairs_ms = 1000;

struct trial {
    struct fixture *fixture; /* borrowed */
    struct answer answer;    /* somebody's */
    bool is_wrong;
};

/* Somebody who made these changes, or none that are known, on the cases of an exercise. */
struct somebody {
    struct fixtures *cases, *fresh; /* borrowed: what is asked at first, and what then */
    const struct rewrite *changes[SEARCH_MAX_MISTAKES];
    size_t n_changes; /* 0: the numbers have nothing to do with the formula */
    struct trial *trials;
    size_t n, capacity;
};

struct times {
    double ms[MISTAKES];
    size_t n;          /* mistakes that were named */
    size_t n_mistakes; /* that were looked for */
};

struct diagnose_bench {
    struct edits edits;
    struct exercise *exercise;
    struct fixtures cases, fresh;
    struct arena arena;
    struct formula formula;
    struct rewrites singles;
    const struct rewrite **telling; /* [n_telling] of them: wrong in the first case */
    size_t n_telling;
    double stages_us;            /* all stages worked out once */
    double singles_ms, pairs_ms; /* tried in vain */
    size_t n_singles_tried, n_pairs_tried;
    struct times one, two;
};

/* Time that this thread had of a processor: what else the machine does is left out, also a thread
 * of its own that helped in one operation and waits for the next. */
static double now_ms(void)
{
    return (double)clock_spent_ns() * 1e-6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
    return n > 0 ? values[n / 2] : 0;
}

/* ---- somebody who errs ---- */

static void somebody_release(struct somebody *somebody)
{
    for (size_t i = 0; i < somebody->n; i++)
        answer_release(&somebody->trials[i].answer);
    free(somebody->trials);
}

static bool add_trial(struct somebody *somebody, struct fixture *fixture, struct error *reterr)
{
    struct trial *trials =
        array_grow(somebody->trials, somebody->n, &somebody->capacity, sizeof *trials);
    struct trial trial = {.fixture = fixture};
    struct error error = {0};
    if (trials == NULL)
        return error_memory(reterr, "a bench");
    somebody->trials = trials;
    if (somebody->n_changes == 0) {
        if (!answer_init(fixture, &trial.answer, reterr))
            return false;
        for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
            for (size_t k = 0; trial.answer.floats[i] != NULL && k < fixture->arrays[i].n_cells;
                 k++)
                trial.answer.floats[i][k] = (float)(k * 7919 % 1000) / 1000; /* 7919 is prime */
    } else if (!stage_formula_answer(fixture, somebody->changes, somebody->n_changes, &trial.answer,
                                     &error)) {
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    }
    trial.is_wrong = fixture_compare(fixture, &trial.answer).verdict != VERDICT_PASS;
    somebody->trials[somebody->n++] = trial;
    return true;
}

/* Wrong ones first, drawn ones before public ones, then those of which most is to be learnt, small
 * ones before large ones: as in grading. */
static int compare_trials(const void *a, const void *b)
{
    const struct trial *one = a, *other = b;
    if (one->is_wrong != other->is_wrong)
        return one->is_wrong ? -1 : 1;
    if (one->fixture->is_public != other->fixture->is_public)
        return one->fixture->is_public ? 1 : -1;
    unsigned one_rank = fixture_size_rank(one->fixture);
    unsigned other_rank = fixture_size_rank(other->fixture);
    if (one_rank != other_rank)
        return one_rank > other_rank ? -1 : 1;
    return (one->fixture->n_cells > other->fixture->n_cells) -
           (one->fixture->n_cells < other->fixture->n_cells);
}

/* Adds answers to cases. *ret_n_wrong of them come first. */
static bool add_trials(struct somebody *somebody, const struct fixtures *cases, size_t *ret_n_wrong,
                       struct error *reterr)
{
    size_t first = somebody->n;
    for (size_t i = 0; i < cases->n; i++)
        if (cases->items[i]->n_cells <= MOST_CELLS && !add_trial(somebody, cases->items[i], reterr))
            return false;
    if (somebody->n > first)
        qsort(somebody->trials + first, somebody->n - first, sizeof *somebody->trials,
              compare_trials);
    *ret_n_wrong = 0;
    while (first + *ret_n_wrong < somebody->n && somebody->trials[first + *ret_n_wrong].is_wrong)
        ++*ret_n_wrong;
    return true;
}

static bool ask(void *context, size_t *ret_n, size_t *ret_n_failing, struct error *reterr)
{
    struct somebody *somebody = context;
    size_t n = somebody->n;
    bool ok = add_trials(somebody, somebody->fresh, ret_n_failing, reterr);
    *ret_n = somebody->n - n;
    return ok;
}

static bool work_out(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                     struct trial_outcome *ret, struct error *reterr)
{
    const struct trial *asked = &((struct somebody *)context)->trials[trial];
    struct answer answer;
    struct error error = {0};
    ret->cost = stage_formula_cost(asked->fixture);
    if (!stage_formula_answer(asked->fixture, changes, n, &answer, &error)) {
        ret->says_nothing = true;
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    }
    ret->agrees = fixture_answers_alike(asked->fixture, &asked->answer, &answer);
    ret->digest = answer_digest(asked->fixture, &answer);
    answer_release(&answer);
    return true;
}

static bool parts(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                  struct answer_parts *ret, struct error *reterr)
{
    const struct trial *asked = &((struct somebody *)context)->trials[trial];
    return stage_formula_parts(asked->fixture, &asked->answer, changes, n, ret, reterr);
}

/* Looks for what somebody did. *ret_n_named changes were found, after so many tries. */
static bool look(const struct diagnose_bench *bench, struct somebody *somebody, size_t most_steps,
                 size_t *ret_n_named, size_t *ret_n_tried, double *ret_ms, struct error *reterr)
{
    struct subject subject = {
        .context = somebody, .work_out = work_out, .parts = parts, .ask = ask};
    struct search search = {.n_tried = 0};
    struct finding finding;
    if (!add_trials(somebody, somebody->cases, &subject.n_failing, reterr))
        return false;
    subject.n_trials = somebody->n;
    double began_ms = now_ms();
    const struct search_options options = {.most_steps = most_steps};
    bool ok =
        search_run(&search, &bench->edits, &bench->formula, &subject, &options, &finding, reterr);
    *ret_ms = now_ms() - began_ms;
    *ret_n_named = ok ? finding.n : 0;
    *ret_n_tried = search.n_tried;
    search_release(&search);
    return ok;
}

static struct somebody somebody_with(struct diagnose_bench *bench, const struct rewrite *a,
                                     const struct rewrite *b)
{
    struct somebody somebody = {.cases = &bench->cases, .fresh = &bench->fresh, .changes = {a, b}};
    somebody.n_changes = (a != NULL) + (size_t)(b != NULL);
    if (b != NULL && b->step < a->step) {
        somebody.changes[0] = b;
        somebody.changes[1] = a;
    }
    return somebody;
}

/* ---- what is measured ---- */

static bool draw(const struct diagnose_bench *bench, struct fixtures *cases, struct fixtures *fresh,
                 struct error *reterr)
{
    enum { SEED = 1, FRESH_SEED = 2 };
    return fixtures_draw(bench->exercise, SEED, false, data_dir(), cases, reterr) &&
           fixtures_draw(bench->exercise, FRESH_SEED, false, data_dir(), fresh, reterr);
}

/* On cases of which nothing was worked out before, as in grading. */
static bool look_in_vain(const struct diagnose_bench *bench, size_t most_steps, size_t *ret_n_tried,
                         double *ret_ms, struct error *reterr)
{
    struct fixtures cases = {0}, fresh = {0};
    struct somebody nobody = {.cases = &cases, .fresh = &fresh};
    size_t n_named;
    bool ok = draw(bench, &cases, &fresh, reterr) &&
              look(bench, &nobody, most_steps, &n_named, ret_n_tried, ret_ms, reterr);
    somebody_release(&nobody);
    fixtures_release(&cases);
    fixtures_release(&fresh);
    return ok;
}

/* The time of the fastest round: the others are the same work beside more of what else runs. */
static bool time_in_vain(const struct diagnose_bench *bench, size_t most_steps, size_t *ret_n_tried,
                         double *ret_ms, struct error *reterr)
{
    *ret_ms = (double)INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        double ms = 0;
        if (!look_in_vain(bench, most_steps, ret_n_tried, &ms, reterr))
            return false;
        *ret_ms = fmin(*ret_ms, ms);
    }
    return true;
}

static bool time_name(struct diagnose_bench *bench, const struct rewrite *a,
                      const struct rewrite *b, struct times *times, struct error *reterr)
{
    size_t n_named, n_tried;
    double ms;
    struct somebody somebody = somebody_with(bench, a, b);
    bool ok = look(bench, &somebody, b != NULL ? MOST_STEPS : 0, &n_named, &n_tried, &ms, reterr);
    somebody_release(&somebody);
    if (ok && n_named > 0)
        times->ms[times->n++] = ms;
    times->n_mistakes++;
    return ok;
}

static bool time_names(struct diagnose_bench *bench, struct error *reterr)
{
    size_t n = bench->n_telling;
    for (size_t i = 0; n > 1 && i < MISTAKES; i++) {
        const struct rewrite *a = bench->telling[i * n / MISTAKES];
        const struct rewrite *b = bench->telling[(i * n / MISTAKES + n / 2) % n];
        if (!time_name(bench, a, NULL, &bench->one, reterr) ||
            (a->step != b->step && !time_name(bench, a, b, &bench->two, reterr)))
            return false;
    }
    return true;
}

static bool time_stages(struct diagnose_bench *bench, struct error *reterr)
{
    enum { TIMES = 200 };
    struct somebody nobody = somebody_with(bench, NULL, NULL);
    size_t n_wrong;
    bool ok = add_trials(&nobody, nobody.cases, &n_wrong, reterr);
    assert(!ok || nobody.trials != NULL);
    double began_ms = now_ms();
    for (int i = 0; ok && i < TIMES; i++) {
        struct answer answer;
        ok = fixture_answer_under(nobody.trials[0].fixture, NULL, 0, &answer, reterr);
        if (ok)
            answer_release(&answer);
    }
    bench->stages_us = (now_ms() - began_ms) * 1e3 / TIMES;
    somebody_release(&nobody);
    return ok;
}

static bool measure(struct diagnose_bench *bench, struct error *reterr)
{
    return time_stages(bench, reterr) &&
           time_in_vain(bench, 0, &bench->n_singles_tried, &bench->singles_ms, reterr) &&
           time_in_vain(bench, MOST_STEPS, &bench->n_pairs_tried, &bench->pairs_ms, reterr) &&
           time_names(bench, reterr);
}

/* ---- one exercise ---- */

/* The changes that give wrong numbers in the first case, as far as they can be worked out. */
static bool find_telling(struct diagnose_bench *bench, struct error *reterr)
{
    bench->telling = calloc(bench->singles.n + 1, sizeof *bench->telling);
    if (bench->telling == NULL)
        return error_memory(reterr, "a bench");
    for (size_t i = 0; i < bench->singles.n; i++) {
        const struct rewrite *change = &bench->singles.items[i];
        struct somebody somebody = somebody_with(bench, change, NULL);
        size_t n_wrong = 0;
        bool ok = add_trials(&somebody, &bench->cases, &n_wrong, reterr);
        somebody_release(&somebody);
        if (!ok)
            return false;
        if (n_wrong > 0)
            bench->telling[bench->n_telling++] = change;
    }
    return true;
}

static bool prepare(struct diagnose_bench *bench, const struct catalogue *catalogue, const char *id,
                    struct error *reterr)
{
    if (!exercises_find_one(catalogue, id, &bench->exercise, reterr) ||
        !draw(bench, &bench->cases, &bench->fresh, reterr) ||
        !stage_formula_read(bench->cases.items[0], &bench->arena, &bench->formula, reterr))
        return false;
    for (size_t i = 0; i < bench->formula.n_steps; i++)
        if (!rewrites_add(&bench->edits, &bench->formula, i, &bench->singles, reterr))
            return false;
    return find_telling(bench, reterr);
}

static void release(struct diagnose_bench *bench)
{
    free(bench->telling);
    rewrites_release(&bench->singles);
    arena_release(&bench->arena);
    fixtures_release(&bench->cases);
    fixtures_release(&bench->fresh);
    exercise_free(bench->exercise);
    edits_release(&bench->edits);
}

static void print_row(struct diagnose_bench *bench)
{
    double try_us = bench->pairs_ms * 1e3 / (double)bench->n_pairs_tried;
    printf(
        "%-14s %5zu %8.1f ms %8.1f ms %9.0f %7.2f %4zu of %-2zu %6.1f ms %4zu of %-2zu %6.1f ms\n",
        bench->exercise->id, bench->singles.n, bench->singles_ms,
        bench->pairs_ms - bench->singles_ms, 1e6 / try_us, try_us / bench->stages_us, bench->one.n,
        bench->one.n_mistakes, median(bench->one.ms, bench->one.n), bench->two.n,
        bench->two.n_mistakes, median(bench->two.ms, bench->two.n));
    (void)fflush(stdout);
}

static bool run_exercise(const struct catalogue *catalogue, const char *id, bool *ret_kept,
                         struct error *reterr)
{
    struct diagnose_bench bench = {.n_telling = 0};
    bool ok = edits_open(data_dir(), &bench.edits, reterr) &&
              prepare(&bench, catalogue, id, reterr) && measure(&bench, reterr);
    if (ok) {
        print_row(&bench);
        *ret_kept = *ret_kept && bench.singles_ms <= most_singles_ms &&
                    bench.pairs_ms - bench.singles_ms <= most_pairs_ms;
    }
    release(&bench);
    return ok;
}

bool bench_diagnose(bool *ret_kept, struct error *reterr)
{
    static const char *const ids[] = {"softmax-rows", "attention", "multi-head"};
    struct catalogue catalogue;
    if (!catalogue_open(data_dir(), NULL, &catalogue, reterr))
        return false;
    bool ok = true;
    *ret_kept = true;
    printf("%-14s %5s %11s %11s %9s %7s %19s %19s\n", "exercise", "edits", "all edits", "all pairs",
           "tries/s", "ratio", "one edit named", "two edits named");
    for (size_t i = 0; ok && i < COUNT_OF(ids); i++)
        ok = run_exercise(&catalogue, ids[i], ret_kept, reterr);
    catalogue_release(&catalogue);
    printf("limits: all edits %.0f ms, pairs %.0f ms; ratio: one try to all stages once\n",
           most_singles_ms, most_pairs_ms);
    return ok;
}
