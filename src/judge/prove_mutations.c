/* Do the cases tell every known mistake from the right formula? Each edit of assets/edits.yaml,
 * made at each place in the stages, must fail a case: see prove_internal.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/changed_case.h"
#include "judge/prove_internal.h"
#include "judge/stage_formula.h"

enum {
    MOST_CELLS = 4000,  /* of a fresh case: larger ones say no more */
    FRESH_ROUNDS = 3,   /* draws of each case, with sizes of their own where those are drawn */
    FRESH_SEED = 90210, /* the first of their seeds */
};

struct mutating {
    const struct exercise *exercise;
    const char *data_dir;
    struct fixtures cases;
    struct fixtures fresh; /* drawn when they are first needed */
    bool has_fresh;
    struct arena arena; /* owns the changed cases and the formula */
    struct formula formula;
    struct rewrites singles;
    bool *is_seen; /* [exercise->n_mutations] it stands for an edit that no case tells apart */
    struct prove_report *report;
    struct error *reterr;
};

enum outcome { SAYS_NOTHING, SAME, DIFFERENT };

/* What a change gives in a case. False is our own failure. */
static bool try_case(struct fixture *fixture, const struct rewrite *change, bool is_fresh,
                     enum outcome *ret, struct error *reterr)
{
    struct answer answer, right;
    struct error error = {0};
    *ret = SAYS_NOTHING;
    if (!stage_formula_answer(fixture, &change, 1, &answer, &error))
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    *ret = fixture_compare(fixture, &answer).verdict == VERDICT_PASS ? SAME : DIFFERENT;
    if (*ret == DIFFERENT && is_fresh && fixture_right_answer(fixture, &right, reterr)) {
        if (fixture_answers_near(fixture, &answer, &right))
            *ret = SAME; /* rounding, of numbers that nobody chose */
        answer_release(&right);
    }
    answer_release(&answer);
    return true;
}

/* DIFFERENT where some case tells it; SAME where it can be worked out, and none does. */
static bool try_cases(const struct fixtures *cases, const struct rewrite *change, bool is_fresh,
                      enum outcome *ret, struct error *reterr)
{
    *ret = SAYS_NOTHING;
    for (size_t i = 0; i < cases->n && *ret != DIFFERENT; i++) {
        enum outcome outcome;
        if (!try_case(cases->items[i], change, is_fresh, &outcome, reterr))
            return false;
        *ret = outcome > *ret ? outcome : *ret;
    }
    return true;
}

static int by_cells(const void *a, const void *b)
{
    const struct fixture *one = *(struct fixture *const *)a, *other = *(struct fixture *const *)b;
    return (one->n_cells > other->n_cells) - (one->n_cells < other->n_cells);
}

/* ---- fresh cases ---- */

/* Adds the case drawn again, as it is or with its numbers changed. What can't be drawn is left out.
 */
static bool add_fresh(struct mutating *mutating, const struct fixture *like,
                      const struct exercise_case *source, uint64_t seed)
{
    struct fixtures *fresh = &mutating->fresh;
    if (!fixture_draw(mutating->exercise, source, like->repeat, seed, NULL, false,
                      mutating->data_dir, &fresh->items[fresh->n], NULL))
        return true;
    if (fresh->items[fresh->n]->n_cells > MOST_CELLS)
        fixture_free(fresh->items[fresh->n]);
    else
        fresh->n++;
    return true;
}

static bool add_changed(struct mutating *mutating, const struct fixture *like, const char *recipe,
                        int only, uint64_t seed)
{
    struct exercise_case *source = arena_take(&mutating->arena, sizeof *source);
    if (source == NULL)
        return error_memory(mutating->reterr, "a proof");
    return changed_case(like, recipe, only, &mutating->arena, source, mutating->reterr) &&
           add_fresh(mutating, like, source, seed);
}

/* The same numbers once more, or moved a little; whole ones; those of one array far apart. */
static bool add_alike(struct mutating *mutating, const struct fixture *like, uint64_t seed)
{
    bool ok = add_fresh(mutating, like, like->source, seed) &&
              add_changed(mutating, like, changed_little, -1, seed) &&
              add_changed(mutating, like, changed_to_whole, -1, seed);
    for (unsigned i = 0; ok && i < like->exercise->n_arrays; i++)
        if (is_float_input(like, i))
            ok = add_changed(mutating, like, changed_far_apart, (int)i, seed);
    return ok;
}

static bool draw_fresh(struct mutating *mutating)
{
    size_t n = mutating->cases.n * FRESH_ROUNDS * (3 + mutating->exercise->n_arrays);
    mutating->has_fresh = true;
    mutating->fresh.items = calloc(n + 1, sizeof(struct fixture *));
    if (mutating->fresh.items == NULL)
        return error_memory(mutating->reterr, "a proof");
    for (uint64_t round = 0; round < FRESH_ROUNDS; round++)
        for (size_t i = 0; i < mutating->cases.n; i++)
            if (mutating->cases.items[i]->n_cells <= MOST_CELLS &&
                !add_alike(mutating, mutating->cases.items[i], FRESH_SEED + round))
                return false;
    return true;
}

/* ---- one change ---- */

/* The author's reason why no case tells a change apart; their number where there is none. */
static unsigned reason_of(const struct exercise *exercise, const struct rewrite *change)
{
    unsigned i = 0;
    for (; i < exercise->n_mutations; i++) {
        const struct exercise_mutation *known = &exercise->mutations[i];
        if (strcmp(known->edit, change->edit->id) == 0 &&
            (known->statement == NULL || strcmp(known->statement, change->statement) == 0))
            break;
    }
    return i;
}

/* No case tells it apart: is it the same as the right formula, or does nobody look? */
static bool judge_survivor(struct mutating *mutating, const struct rewrite *change)
{
    enum outcome outcome;
    unsigned reason = reason_of(mutating->exercise, change);
    if (!mutating->has_fresh && !draw_fresh(mutating))
        return false;
    if (!try_cases(&mutating->fresh, change, true, &outcome, mutating->reterr))
        return false;
    if (outcome != DIFFERENT)
        return true; /* no mistake here */
    mutating->report->n_edits++;
    if (reason < mutating->exercise->n_mutations) {
        mutating->is_seen[reason] = true;
        mutating->report->n_excused++;
        return true;
    }
    prove_fault(mutating->report, mutating->exercise->path,
                "no case tells `%s` (%s) from the right formula; add one that does",
                change->statement, change->edit->id);
    return true;
}

static bool judge_change(struct mutating *mutating, const struct rewrite *change)
{
    enum outcome outcome;
    if (!try_cases(&mutating->cases, change, false, &outcome, mutating->reterr))
        return false;
    if (outcome == DIFFERENT) {
        mutating->report->n_edits++;
        mutating->report->n_told++;
    }
    return outcome != SAME || judge_survivor(mutating, change);
}

static void judge_reasons(const struct mutating *mutating)
{
    for (unsigned i = 0; i < mutating->exercise->n_mutations; i++)
        if (!mutating->is_seen[i])
            prove_fault(mutating->report, mutating->exercise->path,
                        "mutations: %s: the cases tell it apart, or it changes nothing; take the "
                        "reason out",
                        mutating->exercise->mutations[i].edit);
}

/* ---- all of them ---- */

static bool prepare(struct mutating *mutating, const struct edits *edits, uint64_t seed)
{
    struct error *reterr = mutating->reterr;
    mutating->is_seen = calloc(mutating->exercise->n_mutations + 1, sizeof *mutating->is_seen);
    if (mutating->is_seen == NULL)
        return error_memory(reterr, "a proof");
    if (!fixtures_draw(mutating->exercise, seed, false, mutating->data_dir, &mutating->cases,
                       reterr))
        return false;
    qsort(mutating->cases.items, mutating->cases.n, sizeof *mutating->cases.items, by_cells);
    if (!stage_formula_read(mutating->cases.items[mutating->cases.n - 1], &mutating->arena,
                            &mutating->formula, reterr))
        return false;
    for (size_t i = 0; i < mutating->formula.n_steps; i++)
        if (!rewrites_add(edits, &mutating->formula, i, &mutating->singles, reterr))
            return false;
    return true;
}

static void release(struct mutating *mutating)
{
    rewrites_release(&mutating->singles);
    fixtures_release(&mutating->fresh);
    fixtures_release(&mutating->cases);
    arena_release(&mutating->arena);
    free(mutating->is_seen);
}

bool prove_mutations(const struct exercise *exercise, const struct edits *edits, uint64_t seed,
                     const char *data_dir, struct prove_report *report, struct error *reterr)
{
    struct mutating mutating = {
        .exercise = exercise, .data_dir = data_dir, .report = report, .reterr = reterr};
    bool ok = prepare(&mutating, edits, seed);
    for (size_t i = 0; ok && i < mutating.singles.n; i++)
        ok = judge_change(&mutating, &mutating.singles.items[i]);
    if (ok)
        judge_reasons(&mutating);
    release(&mutating);
    return ok;
}

bool prove_uses(const struct exercise *exercise, const struct edits *edits, uint64_t seed,
                const char *data_dir, enum edit_use *uses, struct error *reterr)
{
    struct mutating mutating = {.exercise = exercise, .data_dir = data_dir, .reterr = reterr};
    bool ok = prepare(&mutating, edits, seed);
    for (size_t i = 0; ok && i < mutating.singles.n; i++) {
        const struct rewrite *change = &mutating.singles.items[i];
        enum edit_use *use = &uses[change->edit - edits->items];
        enum outcome outcome;
        if (*use == EDIT_CHANGES)
            continue;
        ok = try_cases(&mutating.cases, change, false, &outcome, reterr);
        *use = ok && outcome == DIFFERENT ? EDIT_CHANGES : EDIT_CHANGES_NOTHING;
    }
    release(&mutating);
    return ok;
}
