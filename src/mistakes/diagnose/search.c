/* The search: see search.h. */
#include "diagnose/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

uint64_t search_digest(uint64_t digest, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (digest ^ bits) * UINT64_C(0x100000001B3);
}

/* One or two changes, and how they did so far. */
struct candidate {
    const struct rewrite *changes[SEARCH_MAX_REWRITES]; /* of different steps */
    size_t n;
    size_t n_agreed;    /* trials */
    size_t n_near;      /* others, in which rounding may tell them apart */
    size_t n_right;     /* trials that agree, and in which the numbers are right */
    size_t n_telling;   /* explained ones with other wrong numbers than NaN */
    size_t n_explained; /* of those in which the numbers are wrong */
    size_t n_silent;    /* of the same, those that it says nothing of */
    size_t n_fresh;     /* explained ones that were drawn afterwards */
};

struct searching {
    struct search *search;
    const struct edits *edits;
    const struct formula *formula;
    struct subject subject; /* with the trials that were added */
    size_t n_first;         /* the trials before them; those at n_first and up are fresh */
    size_t n_fresh_failing;
    bool has_asked;
    bool without_fresh;
    size_t tries_left; /* for pairs */
    size_t sharpest;   /* the trial that ruled out the last one of those that held in the first */
    struct candidate *found;
    size_t n_found, capacity;
    size_t *next; /* of the single changes: see chain_of() */
    struct error *reterr;
};

static bool keep(struct searching *searching, const struct candidate *candidate)
{
    struct candidate *items =
        array_grow(searching->found, searching->n_found, &searching->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(searching->reterr, "a diagnosis");
    searching->found = items;
    searching->found[searching->n_found++] = *candidate;
    return true;
}

static bool is_fresh_failing(const struct searching *searching, size_t trial)
{
    return trial >= searching->n_first && trial < searching->n_first + searching->n_fresh_failing;
}

static bool is_failing(const struct searching *searching, size_t trial)
{
    return trial < searching->subject.n_failing || is_fresh_failing(searching, trial);
}

static void charge(struct searching *searching, size_t cost)
{
    cost = cost > 0 ? cost : 1;
    searching->search->n_tried++;
    searching->tries_left -= cost < searching->tries_left ? cost : searching->tries_left;
}

/* Works one trial out. *ret_holds: the candidate is still possible. */
static bool try_trial(struct searching *searching, struct candidate *candidate, size_t trial,
                      struct trial_outcome *ret, bool *ret_holds)
{
    const struct subject *subject = &searching->subject;
    *ret = (struct trial_outcome){0};
    if (!subject->work_out(subject->context, trial, candidate->changes, candidate->n, ret,
                           searching->reterr))
        return false;
    charge(searching, ret->cost);
    *ret_holds = ret->says_nothing || ret->agrees || ret->is_near;
    candidate->n_near += !ret->agrees && ret->is_near;
    if (ret->agrees) {
        candidate->n_agreed++;
        candidate->n_right += !is_failing(searching, trial);
        candidate->n_telling += is_failing(searching, trial) && !ret->is_dumb;
        candidate->n_explained += is_failing(searching, trial);
        candidate->n_fresh += is_fresh_failing(searching, trial);
    } else if (ret->says_nothing) {
        candidate->n_silent += is_failing(searching, trial);
    }
    return true;
}

enum { TIMES = 3, TIMES_OF_PAIR = 10 };

static bool is_same_way(const struct rewrite *a, const struct rewrite *b)
{
    return a->edit == b->edit && a->way == b->way;
}

static bool is_pair(const struct candidate *candidate)
{
    return candidate->n > 0 &&
           (candidate->changes[0]->base != NULL ||
            !is_same_way(candidate->changes[0], candidate->changes[candidate->n - 1]));
}

/* So many cases must be explained for one that nothing is said of. Among all pairs there are some
 * that say nothing just where they are wrong. */
static size_t times_of(const struct candidate *candidate)
{
    return is_pair(candidate) ? TIMES_OF_PAIR : TIMES;
}

/* Does it explain enough? What says nothing of many wrong cases explains none of them, and nothing
 * but NaN everywhere has a thousand reasons. */
static bool is_explanation(const struct candidate *candidate)
{
    return candidate->n_explained > 0 &&
           candidate->n_explained >= times_of(candidate) * candidate->n_silent &&
           candidate->n_agreed >= TIMES * candidate->n_near &&
           (candidate->n_telling > 0 || (candidate->n_right > 0 && !is_pair(candidate)));
}

/* Can it still explain enough, after the trials before this one? What can't be worked out seldom
 * can in any case, and would be tried in all of them. */
static bool can_explain(const struct searching *searching, const struct candidate *candidate,
                        size_t trial)
{
    size_t n_failing = searching->subject.n_failing;
    size_t n_left = trial < n_failing ? n_failing - trial : 0;
    size_t n_fresh = searching->has_asked ? searching->n_fresh_failing : 0;
    return candidate->n_explained + n_left + n_fresh >= times_of(candidate) * candidate->n_silent;
}

static bool try_from(struct searching *searching, struct candidate *candidate, size_t trial,
                     bool *ret_holds)
{
    struct trial_outcome outcome;
    for (*ret_holds = true; *ret_holds && trial < searching->subject.n_trials; trial++)
        if (!try_trial(searching, candidate, trial, &outcome, ret_holds))
            return false;
        else if (!*ret_holds)
            searching->sharpest = trial;
        else
            *ret_holds = can_explain(searching, candidate, trial + 1);
    return true;
}

/* An almost right change holds in many trials, and fails in the same trial as others before it. */
static bool try_sharpest(struct searching *searching, const struct candidate *candidate,
                         bool *ret_holds)
{
    struct candidate copy = *candidate;
    struct trial_outcome outcome;
    return searching->sharpest == 0 ||
           try_trial(searching, &copy, searching->sharpest, &outcome, ret_holds);
}

/* Tries it in all trials that there are, and keeps it when it holds in them. *ret_first is what
 * came of the first. */
static bool try_candidate(struct searching *searching, struct candidate *candidate,
                          struct trial_outcome *ret_first)
{
    bool holds;
    return try_trial(searching, candidate, 0, ret_first, &holds) &&
           (!holds || try_sharpest(searching, candidate, &holds)) &&
           (!holds || (try_from(searching, candidate, 1, &holds) &&
                       (!holds || !is_explanation(candidate) || keep(searching, candidate))));
}

/* Drops what only explains numbers that many mistakes give. */
static void drop_dumb(struct searching *searching)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < searching->n_found; i++)
        if (searching->found[i].n_telling > 0)
            searching->found[n_kept++] = searching->found[i];
    searching->n_found = n_kept;
}

/* Has the other asked on fresh inputs, once. */
static bool ask(struct searching *searching)
{
    struct subject *subject = &searching->subject;
    size_t n_fresh = 0;
    if (searching->has_asked || searching->without_fresh)
        return true;
    searching->has_asked = true;
    if (!subject->ask(subject->context, &n_fresh, &searching->n_fresh_failing, searching->reterr))
        return false;
    subject->n_trials += n_fresh;
    return true;
}

/* Asks on fresh inputs, and drops what does not hold there. */
static bool confirm(struct searching *searching)
{
    size_t first = searching->subject.n_trials, n_kept = 0; /* it was tried on those before */
    if (searching->without_fresh)
        drop_dumb(searching);
    if (searching->n_found == 0 || searching->without_fresh)
        return true;
    if (!ask(searching))
        return false;
    for (size_t i = 0; i < searching->n_found; i++) {
        struct candidate *candidate = &searching->found[i];
        bool holds;
        if (!try_from(searching, candidate, first, &holds))
            return false;
        if (holds && candidate->n_fresh > 0 && is_explanation(candidate))
            searching->found[n_kept++] = *candidate;
    }
    searching->n_found = n_kept;
    return true;
}

/* ---- several that explain it ---- */

static const struct edit *edit_of(const struct candidate *candidate)
{
    return candidate->changes[0]->edit;
}

/* The edit of its other change, or the same once more. */
static const struct edit *other_edit_of(const struct candidate *candidate)
{
    return candidate->changes[0]->base != NULL ? candidate->changes[0]->base->edit
                                               : candidate->changes[candidate->n - 1]->edit;
}

/* Is it of the same edits, in whatever order? */
static bool has_same_edits(const struct candidate *one, const struct candidate *other)
{
    return (edit_of(one) == edit_of(other) && other_edit_of(one) == other_edit_of(other)) ||
           (edit_of(one) == other_edit_of(other) && other_edit_of(one) == edit_of(other));
}

/* The place in the table: the common edits come first. */
static const struct edit *rarer_edit_of(const struct candidate *candidate)
{
    const struct edit *one = edit_of(candidate), *other = other_edit_of(candidate);
    return one > other ? one : other;
}

static const struct edit *commoner_edit_of(const struct candidate *candidate)
{
    const struct edit *one = edit_of(candidate), *other = other_edit_of(candidate);
    return one < other ? one : other;
}

/* Those that fit in more trials are better, then those of more common edits, then the first form of
 * the same. */
static bool is_better(const struct candidate *one, const struct candidate *other)
{
    if (one->n_agreed != other->n_agreed)
        return one->n_agreed > other->n_agreed;
    if (rarer_edit_of(one) != rarer_edit_of(other))
        return rarer_edit_of(one) < rarer_edit_of(other);
    if (commoner_edit_of(one) != commoner_edit_of(other))
        return commoner_edit_of(one) < commoner_edit_of(other);
    for (size_t i = 0; i < one->n && i < other->n; i++)
        if (one->changes[i]->way != other->changes[i]->way)
            return one->changes[i]->way < other->changes[i]->way;
    return false;
}

/* The best one, or the best but for those of the same edits as `but`. */
static const struct candidate *best_of(const struct searching *searching,
                                       const struct candidate *but)
{
    const struct candidate *best = NULL;
    for (size_t i = 0; i < searching->n_found; i++) {
        const struct candidate *one = &searching->found[i];
        if (but != NULL && has_same_edits(one, but))
            continue;
        if (best == NULL || is_better(one, best))
            best = one;
    }
    return best;
}

/* Tries what was found in the trials from this one on, and drops what does not hold there. */
static bool drop_in_trials_from(struct searching *searching, size_t first)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < searching->n_found; i++) {
        bool holds;
        if (!try_from(searching, &searching->found[i], first, &holds))
            return false;
        if (holds)
            searching->found[n_kept++] = searching->found[i];
    }
    searching->n_found = n_kept;
    return true;
}

enum { MOST_ROUNDS = 4 }; /* of asking which of two it is */

/* Where two kinds of changes explain all that there is equally well, more is asked. */
static bool tell_apart(struct searching *searching)
{
    const struct subject *subject = &searching->subject;
    size_t n_more = 1;
    for (int round = 0; round < MOST_ROUNDS && n_more > 0; round++) {
        const struct candidate *best = best_of(searching, NULL);
        const struct candidate *next = best != NULL ? best_of(searching, best) : NULL;
        if (subject->tell_apart == NULL || next == NULL || next->n_agreed != best->n_agreed)
            return true;
        const struct change_set a = {best->changes, best->n}, b = {next->changes, next->n};
        if (!subject->tell_apart(subject->context, &a, &b, &n_more, searching->reterr))
            return false;
        searching->subject.n_trials += n_more;
        if (!drop_in_trials_from(searching, subject->n_trials - n_more))
            return false;
    }
    return true;
}

/* ---- both are needed ---- */

/* One of two changes: those of its way, or what the other one was made on top of. */
static struct candidate half_of(const struct candidate *pair, bool first)
{
    struct candidate half = {.n = 0};
    if (pair->changes[0]->base != NULL) {
        half.changes[half.n++] = pair->changes[0]->base;
        return half;
    }
    for (size_t i = 0; i < pair->n; i++)
        if (is_same_way(pair->changes[i], pair->changes[0]) == first)
            half.changes[half.n++] = pair->changes[i];
    return half;
}

/* In how many of the wrong trials it gives the numbers alone. */
static bool count_explained(struct searching *searching, struct candidate half, size_t *ret)
{
    for (size_t i = 0; i < searching->subject.n_trials; i++) {
        struct trial_outcome outcome;
        bool holds;
        if (is_failing(searching, i) && !try_trial(searching, &half, i, &outcome, &holds))
            return false;
    }
    *ret = half.n_explained;
    return true;
}

/* Drops the pairs of which one change alone explains nearly all: among thousands of others some fit
 * the rest by accident. */
static bool drop_propped(struct searching *searching)
{
    size_t n_wrong = searching->subject.n_failing + searching->n_fresh_failing, n_kept = 0;
    for (size_t i = 0; i < searching->n_found; i++) {
        const struct candidate pair = searching->found[i];
        size_t n_first = 0, n_second = 0;
        if (is_pair(&pair) && (!count_explained(searching, half_of(&pair, true), &n_first) ||
                               !count_explained(searching, half_of(&pair, false), &n_second)))
            return false;
        if (n_first * 4 < n_wrong * 3 && n_second * 4 < n_wrong * 3)
            searching->found[n_kept++] = pair;
    }
    searching->n_found = n_kept;
    return true;
}

/* ---- one change ---- */

/* One change, or the same one in several steps: what pairs are made of. */
struct unit {
    const struct rewrite *changes[SEARCH_MAX_REWRITES]; /* in the order of the steps */
    size_t n;
    uint64_t digest;   /* of what it makes of the first trial */
    bool says_nothing; /* there */
    struct signature signature;
    size_t n_signed; /* trials that it has */
    bool is_lonely;  /* no other unit fits to it */
};

struct units {
    struct unit *items;
    size_t n;
    uint64_t unchanged; /* the digest without any change */
};

static void add_unit(struct units *units, const struct candidate *tried,
                     const struct trial_outcome *outcome)
{
    struct unit *unit = &units->items[units->n++];
    *unit = (struct unit){
        .n = tried->n, .digest = outcome->digest, .says_nothing = outcome->says_nothing};
    memcpy(unit->changes, tried->changes, sizeof unit->changes);
}

static const struct unit *unit_of(const struct units *units, const struct candidate *candidate)
{
    for (size_t i = 0; i < units->n; i++)
        if (units->items[i].n == candidate->n &&
            memcmp(units->items[i].changes, candidate->changes,
                   candidate->n * sizeof *candidate->changes) == 0)
            return &units->items[i];
    return NULL;
}

/* What came of it in the first trial. */
static struct trial_outcome outcome_of(const struct unit *unit)
{
    return (struct trial_outcome){.digest = unit->digest, .says_nothing = unit->says_nothing};
}

/* The changes by their edits: [n] the next one of the same edit, or n after the last; then, in the
 * same form, the first one of each edit. NULL if memory is lacking. */
static size_t *chain_of(const struct rewrites *singles, const struct edits *edits)
{
    size_t *next = malloc((singles->n + edits->n + 1) * sizeof *next);
    if (next == NULL)
        return NULL;
    size_t *first = next + singles->n;
    for (size_t i = 0; i < edits->n; i++)
        first[i] = singles->n;
    for (size_t i = singles->n; i-- > 0;) {
        size_t edit = (size_t)(singles->items[i].edit - edits->items);
        next[i] = first[edit];
        first[edit] = i;
    }
    return next;
}

/* Those of one edit, from number i on. */
static bool try_singles_from(struct searching *searching, size_t i, struct units *units)
{
    const struct rewrites *singles = &searching->search->singles;
    struct trial_outcome outcome;
    for (; i < singles->n; i = searching->next[i]) {
        struct candidate candidate = {.changes = {&singles->items[i]}, .n = 1};
        if (!try_candidate(searching, &candidate, &outcome))
            return false;
        add_unit(units, &candidate, &outcome);
    }
    return true;
}

/* The most common edits first: where nothing more can be asked, later ones can be no better. */
static bool try_singles(struct searching *searching, struct units *units)
{
    struct candidate right = {.n = 0};
    struct trial_outcome outcome;
    bool holds, is_done = false;
    if (!try_trial(searching, &right, 0, &outcome, &holds))
        return false;
    units->unchanged = outcome.digest;
    const size_t *first = searching->next + searching->search->singles.n;
    for (size_t i = 0; i < searching->edits->n && !is_done; i++) {
        if (!try_singles_from(searching, first[i], units))
            return false;
        is_done = searching->without_fresh && searching->n_found > 0;
    }
    return true;
}

/* ---- the same change wherever it fits ---- */

/* The same mistake, where it takes another form in another step, too. */
static bool is_same_edit(const struct rewrite *a, const struct rewrite *b)
{
    return a->edit == b->edit;
}

/* The same words changed into the same: what reads one array everywhere as another. */
static bool is_same_piece(const struct rewrite *a, const struct rewrite *b)
{
    return is_same_way(a, b) && strcmp(a->piece, b->piece) == 0;
}

typedef bool likeness(const struct rewrite *a, const struct rewrite *b);

/* The change and those like it in later steps, one a step. */
static struct candidate everywhere_from(const struct rewrites *singles, const size_t *next,
                                        size_t i, likeness *is_like, bool *is_taken)
{
    struct candidate candidate = {.changes = {&singles->items[i]}, .n = 1};
    for (size_t k = next[i]; k < singles->n; k = next[k]) {
        if (!is_like(&singles->items[k], &singles->items[i]))
            continue;
        is_taken[k] = true;
        if (candidate.n < SEARCH_MAX_REWRITES &&
            singles->items[k].step != candidate.changes[candidate.n - 1]->step)
            candidate.changes[candidate.n++] = &singles->items[k];
    }
    return candidate;
}

static bool try_chains(struct searching *searching, struct units *units, likeness *is_like,
                       bool *is_taken)
{
    const struct rewrites *singles = &searching->search->singles;
    for (size_t i = 0; i < singles->n; i++) {
        struct trial_outcome outcome;
        if (is_taken[i])
            continue;
        const struct candidate tried =
            everywhere_from(singles, searching->next, i, is_like, is_taken);
        struct candidate candidate = tried;
        if (candidate.n == 1)
            continue;
        const struct unit *before = unit_of(units, &tried);
        if (before != NULL)
            outcome = outcome_of(before);
        else if (!try_candidate(searching, &candidate, &outcome))
            return false;
        add_unit(units, &tried, &outcome);
    }
    return true;
}

static bool try_everywhere(struct searching *searching, struct units *units, likeness *is_like)
{
    const struct rewrites *singles = &searching->search->singles;
    bool *is_taken = calloc(singles->n + 1, sizeof *is_taken);
    bool ok = is_taken != NULL ? try_chains(searching, units, is_like, is_taken)
                               : error_memory(searching->reterr, "a diagnosis");
    free(is_taken);
    return ok;
}

/* Without the change number `left`. */
static struct candidate without_change(const struct candidate *candidate, size_t left)
{
    struct candidate rest = {.n = 0};
    for (size_t i = 0; i < candidate->n; i++)
        if (i != left)
            rest.changes[rest.n++] = candidate->changes[i];
    return rest;
}

static bool try_without_each(struct searching *searching, const struct candidate *whole)
{
    struct trial_outcome outcome;
    for (size_t left = 0; whole->n > 2 && left < whole->n; left++) {
        struct candidate rest = without_change(whole, left);
        if (!try_candidate(searching, &rest, &outcome))
            return false;
    }
    return true;
}

/* The same words changed into the same wherever they stand but in one place. */
static bool try_all_but_one(struct searching *searching)
{
    const struct rewrites *singles = &searching->search->singles;
    bool *is_taken = calloc(singles->n + 1, sizeof *is_taken);
    bool ok = is_taken != NULL || error_memory(searching->reterr, "a diagnosis");
    for (size_t i = 0; ok && i < singles->n; i++) {
        if (is_taken[i])
            continue;
        const struct candidate whole =
            everywhere_from(singles, searching->next, i, is_same_piece, is_taken);
        ok = try_without_each(searching, &whole);
    }
    free(is_taken);
    return ok;
}

/* The same change in two steps of several: what reads key and value as another, and query not. Of
 * all pairs these are tried first, `most` of them at most. */
static bool try_two_alike(struct searching *searching, size_t most)
{
    const struct rewrites *singles = &searching->search->singles;
    const size_t *next = searching->next;
    bool ok = true;
    for (size_t i = 0; ok && i < singles->n; i++)
        for (size_t k = next[i]; ok && k < singles->n && most > 0; k = next[k]) {
            struct candidate both = {.changes = {&singles->items[i], &singles->items[k]}, .n = 2};
            struct trial_outcome outcome;
            if (!is_same_way(both.changes[0], both.changes[1]) ||
                both.changes[0]->step == both.changes[1]->step)
                continue;
            most--;
            ok = try_candidate(searching, &both, &outcome);
        }
    return ok;
}

/* ---- two changes ---- */

/* By how common the edit is, then by place. */
static int compare_units(const void *a, const void *b)
{
    const struct unit *one = a, *other = b;
    if (one->changes[0]->edit != other->changes[0]->edit)
        return one->changes[0]->edit < other->changes[0]->edit ? -1 : 1;
    if (one->changes[0] != other->changes[0])
        return one->changes[0] < other->changes[0] ? -1 : 1;
    return (one->n > other->n) - (one->n < other->n);
}

/* The changes of both, in the order of the steps. False where both change the same step. */
static bool join(const struct unit *a, const struct unit *b, struct candidate *ret)
{
    size_t i = 0, k = 0;
    *ret = (struct candidate){.n = 0};
    if (a->n + b->n > SEARCH_MAX_REWRITES)
        return false;
    while (i < a->n || k < b->n) {
        if (i < a->n && k < b->n && a->changes[i]->step == b->changes[k]->step)
            return false;
        bool first = k == b->n || (i < a->n && a->changes[i]->step < b->changes[k]->step);
        ret->changes[ret->n++] = first ? a->changes[i++] : b->changes[k++];
    }
    return true;
}

/* ---- which pairs are possible ---- */

static bool work_parts_out(struct searching *searching, const struct unit *unit, size_t trial,
                           struct answer_parts *ret)
{
    const struct subject *subject = &searching->subject;
    *ret = (struct answer_parts){.cost = 1};
    bool ok =
        subject->parts(subject->context, trial, unit->changes, unit->n, ret, searching->reterr);
    charge(searching, ret->cost);
    return ok;
}

enum {
    SAMPLE = 24,   /* changes that show which trials tell most */
    MOST_COST = 4, /* of such a trial */
};

/* The trials that a signature has: [*ret_n]. */
static bool choose_trials(struct searching *searching, const struct units *units,
                          size_t ret[SIGNATURE_TRIALS], size_t *ret_n)
{
    struct answer_parts rows[SAMPLE][SIGNATURE_CHOICE];
    size_t n_all = searching->subject.n_trials;
    size_t n = n_all < SIGNATURE_CHOICE ? n_all : SIGNATURE_CHOICE;
    size_t n_rows = units->n < SAMPLE ? units->n : SAMPLE;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t t = 0; t < n; t++)
            if (i > 0 && rows[0][t].cost > MOST_COST)
                rows[i][t] = PARTS_UNKNOWN;
            else if (!work_parts_out(searching, &units->items[i * units->n / n_rows], t * n_all / n,
                                     &rows[i][t]))
                return false;
    const struct answer_parts(*all)[SIGNATURE_CHOICE] =
        (const struct answer_parts(*)[SIGNATURE_CHOICE])rows;
    *ret_n = 0;
    if (n_rows > 0 && n > 0)
        ret[(*ret_n)++] = signature_liveliest(all, n_rows, n);
    signature_choose(all, n_rows, n, ret, ret_n);
    for (size_t i = 0; n > 0 && i < *ret_n; i++)
        ret[i] = ret[i] * n_all / n;
    return true;
}

static bool is_same_unit(const struct unit *a, const struct unit *b)
{
    return a->digest == b->digest && a->n == b->n && a->n_signed == b->n_signed &&
           a->changes[0]->step == b->changes[0]->step &&
           signatures_equal(&a->signature, &b->signature, a->n_signed);
}

static bool changes_something(const struct units *units, const struct unit *unit,
                              const struct unit *none)
{
    return unit->digest != units->unchanged ||
           !signatures_equal(&unit->signature, &none->signature, unit->n_signed);
}

/* Drops those that can seldom be worked out, those that change nothing, and those that do the same
 * as an earlier one of the same step. */
static void drop_idle_units(struct units *units, const struct unit *none)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < units->n; i++) {
        struct unit *unit = &units->items[i];
        bool is_blank = unit->n_signed > 0 ? signature_is_blank(&unit->signature, unit->n_signed)
                                           : unit->says_nothing;
        bool keep = !is_blank && changes_something(units, unit, none);
        for (size_t k = 0; k < n_kept && keep; k++)
            keep = !is_same_unit(&units->items[k], unit);
        if (keep)
            units->items[n_kept++] = *unit;
    }
    units->n = n_kept;
}

static bool may_be_pair(const struct unit *a, const struct unit *b)
{
    size_t n = a->n_signed < b->n_signed ? a->n_signed : b->n_signed;
    size_t step = a->changes[0]->step, other = b->changes[0]->step;
    return !a->is_lonely && !b->is_lonely &&
           (step > other || signatures_fit(&a->signature, &b->signature, n)) &&
           (step < other || signatures_fit(&b->signature, &a->signature, n));
}

static bool has_partner(const struct units *units, const struct unit *unit)
{
    for (size_t i = 0; i < units->n; i++)
        if (&units->items[i] != unit && may_be_pair(unit, &units->items[i]))
            return true;
    return false;
}

/* Those that no other fits to need no more of a signature: few rounds leave few of many. */
static void find_lonely_units(struct units *units)
{
    for (size_t i = 0; i < units->n; i++)
        if (!units->items[i].is_lonely)
            units->items[i].is_lonely = !has_partner(units, &units->items[i]);
}

static size_t count_possible(const struct units *units)
{
    size_t n = 0;
    for (size_t i = 0; i < units->n; i++)
        for (size_t k = i + 1; k < units->n; k++)
            n += may_be_pair(&units->items[i], &units->items[k]);
    return n;
}

static bool sign_unit(struct searching *searching, struct unit *unit, size_t trial)
{
    return unit->is_lonely ||
           work_parts_out(searching, unit, trial, &unit->signature.trials[unit->n_signed++]);
}

/* Works the signatures out, with half of the tries at most, and leaves the units that pairs can be
 * made of. */
static bool sign_units(struct searching *searching, struct units *units)
{
    struct unit none = {.n = 0};
    size_t trials[SIGNATURE_TRIALS], n_trials = 0;
    if (searching->subject.parts != NULL && searching->tries_left / 2 > units->n &&
        (!ask(searching) || !choose_trials(searching, units, trials, &n_trials)))
        return false;
    size_t n_possible = SIZE_MAX, n_before = SIZE_MAX;
    for (size_t t = 0; t < n_trials && searching->tries_left / 2 > units->n &&
                       (t < 4 || n_before - n_possible > units->n);
         t++) {
        if (!sign_unit(searching, &none, trials[t]))
            return false;
        for (size_t i = 0; i < units->n; i++)
            if (!sign_unit(searching, &units->items[i], trials[t]))
                return false;
        if (t == 2 || t + 1 == n_trials)
            drop_idle_units(units, &none);
        find_lonely_units(units);
        n_before = n_possible;
        n_possible = count_possible(units);
    }
    if (n_trials == 0)
        drop_idle_units(units, &none);
    return true;
}

/* Where the edit alone can be made to the step that a unit changes, does one of its changes there
 * fit to the unit? */
static bool may_follow(const struct units *units, const struct unit *unit, const struct edit *edit)
{
    bool is_known = false;
    for (size_t i = 0; i < units->n; i++) {
        const struct unit *other = &units->items[i];
        if (other->n > 1 || other->changes[0]->edit != edit ||
            other->changes[0]->step != unit->changes[0]->step)
            continue;
        if (may_be_pair(unit, other))
            return true;
        is_known = true;
    }
    return !is_known;
}

/* ---- pairs ---- */

/* How likely both changes were made, by what each does alone. */
enum likelihood {
    PAIR_LIKELY,   /* neither shows only together with the other */
    PAIR_POSSIBLE, /* the later one may bring the earlier one out */
    PAIR_REMOTE,   /* the earlier one must bring the later one out */
};

static enum likelihood likelihood_of(const struct unit *a, const struct unit *b)
{
    size_t n = a->n_signed < b->n_signed ? a->n_signed : b->n_signed;
    if (!may_be_pair(a, b))
        return PAIR_REMOTE;
    return signatures_fit_both_ways(&a->signature, &b->signature, n) ? PAIR_LIKELY : PAIR_POSSIBLE;
}

/* The pairs to try, and the number of tries that must be left. */
struct pairs {
    const struct units *units;
    enum likelihood likelihood;
    size_t tries_kept;
};

/* The pairs of places i and j in the order of the edits with low < (i + 1) * (j + 1) <= high. */
static bool try_pairs_between(struct searching *searching, const struct pairs *pairs, size_t low,
                              size_t high)
{
    const struct units *units = pairs->units;
    for (size_t i = 0; i < units->n && (i + 1) * (i + 2) <= high; i++)
        for (size_t j = i + 1; j < units->n && (i + 1) * (j + 1) <= high; j++) {
            const struct unit *a = &units->items[i], *b = &units->items[j];
            struct candidate pair;
            struct trial_outcome outcome;
            if ((i + 1) * (j + 1) <= low || likelihood_of(a, b) != pairs->likelihood ||
                !join(a, b, &pair))
                continue;
            if (searching->tries_left <= pairs->tries_kept || searching->n_found > 0)
                return true;
            if (!try_candidate(searching, &pair, &outcome))
                return false;
        }
    return true;
}

/* Changes of different steps. One of two mistakes is often a common one: such pairs come first. */
static bool try_pairs_across(struct searching *searching, const struct pairs *pairs)
{
    const struct units *units = pairs->units;
    size_t low = 0, last = units->n * units->n;
    for (size_t high = 64;
         low < last && searching->tries_left > pairs->tries_kept && searching->n_found == 0;
         low = high, high *= 2)
        if (!try_pairs_between(searching, pairs, low, high))
            return false;
    return true;
}

enum { CHANGES_AS_A_TRY = 6 }; /* that are written in the time of one try */

/* A second change on top of one. */
static bool try_seconds(struct searching *searching, const struct units *units,
                        const struct unit *unit)
{
    struct rewrites *seconds = &searching->search->seconds;
    size_t first = seconds->n;
    if (!rewrites_add_on(searching->edits, searching->formula, unit->changes[0], seconds,
                         searching->reterr))
        return false;
    charge(searching, (seconds->n - first) / CHANGES_AS_A_TRY);
    for (size_t k = first; k < seconds->n && searching->tries_left > 0; k++) {
        struct candidate candidate = {.changes = {&seconds->items[k]}, .n = 1};
        struct trial_outcome outcome;
        if (!may_follow(units, unit, seconds->items[k].edit))
            continue;
        if (!try_candidate(searching, &candidate, &outcome))
            return false;
    }
    if (searching->n_found == 0)
        seconds->n = first;
    return true;
}

static bool try_pairs_within(struct searching *searching, const struct units *units)
{
    for (size_t i = 0; i < units->n && searching->tries_left > 0 && searching->n_found == 0; i++)
        if (units->items[i].n == 1 && !try_seconds(searching, units, &units->items[i]))
            return false;
    return true;
}

static bool confirm_pairs(struct searching *searching)
{
    return confirm(searching) && (searching->without_fresh || drop_propped(searching));
}

/* ---- what does the same as one of two ---- */

/* Does another edit do the same in all trials that both have signatures of? */
static bool are_twins(const struct unit *a, const struct unit *b)
{
    size_t n = a->n_signed < b->n_signed ? a->n_signed : b->n_signed;
    return a->changes[0]->edit != b->changes[0]->edit && a->digest == b->digest && n > 0 &&
           signatures_equal(&a->signature, &b->signature, n);
}

/* Tries a twin of one of two changes beside the other, which stays. */
static bool try_twin(struct searching *searching, const struct unit *kept, const struct unit *twin,
                     const struct rewrites *on_top)
{
    struct candidate pair;
    struct trial_outcome outcome;
    if (join(kept, twin, &pair))
        return try_candidate(searching, &pair, &outcome);
    for (size_t i = 0; i < on_top->n; i++) {
        struct candidate within = {.changes = {&on_top->items[i]}, .n = 1};
        if (is_same_way(&on_top->items[i], twin->changes[0]) &&
            !try_candidate(searching, &within, &outcome))
            return false;
    }
    return true;
}

static bool try_twins_of(struct searching *searching, const struct units *units,
                         const struct unit *half, const struct unit *kept, struct rewrites *on_top)
{
    if (kept->n == 1 && !rewrites_add_on(searching->edits, searching->formula, kept->changes[0],
                                         on_top, searching->reterr))
        return false;
    for (size_t i = 0; i < units->n; i++)
        if (are_twins(half, &units->items[i]) &&
            !try_twin(searching, kept, &units->items[i], on_top))
            return false;
    return true;
}

/* Of two changes of different steps each may do what another one does alone. Which of them is it?
 */
static bool try_twins(struct searching *searching, const struct units *units)
{
    const struct candidate *best = best_of(searching, NULL);
    if (best == NULL || best->changes[0]->base != NULL)
        return true;
    const struct candidate one = half_of(best, true), other = half_of(best, false);
    const struct unit *first = unit_of(units, &one), *second = unit_of(units, &other);
    struct rewrites *on_top = searching->search->twins;
    return first == NULL || second == NULL ||
           (try_twins_of(searching, units, first, second, &on_top[0]) &&
            try_twins_of(searching, units, second, first, &on_top[1]));
}

/* The share of the tries, in twelfths, that is kept for later ones. Last of all are the pairs
 * within a step. */
static const size_t kept_after[] = {[PAIR_LIKELY] = 4, [PAIR_POSSIBLE] = 2, [PAIR_REMOTE] = 1};

static bool find_across(struct searching *searching, struct units *units, size_t most,
                        enum likelihood likelihood)
{
    const struct pairs pairs = {units, likelihood, most / 12 * kept_after[likelihood]};
    return searching->n_found > 0 ||
           (try_pairs_across(searching, &pairs) && confirm_pairs(searching));
}

static bool find_within(struct searching *searching, const struct units *units)
{
    return searching->n_found > 0 ||
           (try_pairs_within(searching, units) && confirm_pairs(searching));
}

static bool find_pairs(struct searching *searching, struct units *units, size_t most)
{
    qsort(units->items, units->n, sizeof *units->items, compare_units);
    searching->tries_left = most;
    return sign_units(searching, units) && find_across(searching, units, most, PAIR_LIKELY) &&
           find_across(searching, units, most, PAIR_POSSIBLE) &&
           find_across(searching, units, most, PAIR_REMOTE) && find_within(searching, units);
}

static bool try_pairs(struct searching *searching, struct units *units, size_t most)
{
    return find_pairs(searching, units, most) && try_twins(searching, units);
}

/* ---- what was found ---- */

/* Does it explain a NaN that another one does not miss by more? Two reasons for a NaN are as good
 * as none, unless one gives all of the numbers in all trials and the other doesn't. */
static bool is_the_reason(const struct searching *searching, const struct candidate *best,
                          const struct candidate *next)
{
    return best->n_telling > 0 || next == NULL ||
           (best->n_agreed == searching->subject.n_trials && next->n_agreed < best->n_agreed);
}

/* The change of one of two candidates with equal numbers that the other one has another for; NULL
 * where they share none. */
static const struct rewrite *instead_of(const struct finding *finding, size_t i,
                                        const struct candidate *other)
{
    const struct edit *kept = finding->changes[finding->n - 1 - i]->edit;
    const struct rewrite *first =
        other->changes[0]->base != NULL ? other->changes[0]->base : other->changes[0];
    const struct rewrite *last =
        other->changes[0]->base != NULL ? other->changes[0] : other->changes[other->n - 1];
    if (finding->n == 1)
        return first == last || is_same_way(first, last) ? first : NULL;
    return first->edit == kept ? last : last->edit == kept ? first : NULL;
}

/* Does the message about `told` cover this change, too? A mistake made wherever it fits is one
 * mistake, though it takes two forms. */
static bool is_told(const struct candidate *candidate, const struct rewrite *change,
                    const struct rewrite *told)
{
    return is_same_way(change, told) || (candidate->n > 2 && is_same_edit(change, told));
}

static struct finding finding_of(const struct searching *searching)
{
    struct finding finding = {.n = 0};
    const struct candidate *best = best_of(searching, NULL);
    const struct candidate *next = best != NULL ? best_of(searching, best) : NULL;
    if (best == NULL || !is_the_reason(searching, best, next))
        return finding;
    if (best->changes[0]->base != NULL)
        finding.changes[finding.n++] = best->changes[0]->base;
    finding.n_places = best->n;
    finding.is_whole = best->n_agreed == searching->subject.n_trials;
    for (size_t i = 0; i < best->n && finding.n < SEARCH_MAX_MISTAKES; i++)
        if (finding.n == 0 || !is_told(best, best->changes[i], finding.changes[finding.n - 1]))
            finding.changes[finding.n++] = best->changes[i];
    if (finding.n == 2)
        finding.combination =
            edits_combination(searching->edits, finding.changes[0]->edit, finding.changes[1]->edit);
    for (size_t i = 0; i < finding.n && next != NULL && next->n_agreed == best->n_agreed; i++)
        finding.also[i] = instead_of(&finding, i, next);
    return finding;
}

enum { STEPS_BESIDE = 8 }; /* that a try costs beside those of the formula */

static bool run(struct searching *searching, struct units *units, size_t most_steps)
{
    size_t most_pairs = most_steps / (searching->formula->n_steps + STEPS_BESIDE);
    return try_singles(searching, units) && confirm(searching) &&
           (searching->n_found > 0 ||
            (try_everywhere(searching, units, is_same_way) &&
             try_everywhere(searching, units, is_same_piece) &&
             try_everywhere(searching, units, is_same_edit) && confirm(searching))) &&
           (searching->n_found > 0 || most_pairs == 0 ||
            (try_all_but_one(searching) && try_two_alike(searching, most_pairs / 8) &&
             confirm(searching))) &&
           (searching->n_found > 0 || most_pairs == 0 || try_pairs(searching, units, most_pairs)) &&
           tell_apart(searching);
}

bool search_run(struct search *search, const struct edits *edits, const struct formula *formula,
                const struct subject *subject, const struct search_options *options,
                struct finding *ret, struct error *reterr)
{
    struct searching searching = {.search = search,
                                  .edits = edits,
                                  .formula = formula,
                                  .subject = *subject,
                                  .n_first = subject->n_trials,
                                  .without_fresh = options->without_fresh,
                                  .reterr = reterr};
    struct units units = {0};
    bool ok = true;
    *ret = (struct finding){.n = 0};
    if (subject->n_failing == 0)
        return true;
    for (size_t i = 0; ok && i < formula->n_steps; i++)
        ok = rewrites_add(edits, formula, i, &search->singles, reterr);
    units.items = ok ? calloc(4 * search->singles.n + 1, sizeof *units.items) : NULL;
    searching.next = ok ? chain_of(&search->singles, edits) : NULL;
    if (ok && (units.items == NULL || searching.next == NULL))
        ok = error_memory(reterr, "a diagnosis");
    ok = ok && run(&searching, &units, options->most_steps);
    if (ok)
        *ret = finding_of(&searching);
    free(units.items);
    free(searching.next);
    free(searching.found);
    return ok;
}

void search_release(struct search *search)
{
    rewrites_release(&search->singles);
    rewrites_release(&search->seconds);
    for (size_t i = 0; i < COUNT_OF(search->twins); i++)
        rewrites_release(&search->twins[i]);
}
