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
    size_t pairs_left;
    struct candidate *found;
    size_t n_found, capacity;
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

/* Works one trial out. *ret_holds: the candidate is still possible. */
static bool try_trial(struct searching *searching, struct candidate *candidate, size_t trial,
                      struct trial_outcome *ret, bool *ret_holds)
{
    const struct subject *subject = &searching->subject;
    *ret = (struct trial_outcome){0};
    searching->search->n_tried++;
    if (!subject->work_out(subject->context, trial, candidate->changes, candidate->n, ret,
                           searching->reterr))
        return false;
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

enum { TIMES = 3 };

/* Does it explain enough? What says nothing of many wrong cases explains none of them, and nothing
 * but NaN everywhere has a thousand reasons. */
static bool is_explanation(const struct candidate *candidate)
{
    return candidate->n_explained > 0 && candidate->n_explained >= TIMES * candidate->n_silent &&
           candidate->n_agreed >= TIMES * candidate->n_near &&
           (candidate->n_telling > 0 || candidate->n_right > 0);
}

/* Can it still explain enough, after the trials before this one? What can't be worked out seldom
 * can in any case, and would be tried in all of them. */
static bool can_explain(const struct searching *searching, const struct candidate *candidate,
                        size_t trial)
{
    size_t n_failing = searching->subject.n_failing;
    size_t n_left = trial < n_failing ? n_failing - trial : 0;
    size_t n_fresh = searching->has_asked ? searching->n_fresh_failing : 0;
    return candidate->n_explained + n_left + n_fresh >= TIMES * candidate->n_silent;
}

static bool try_from(struct searching *searching, struct candidate *candidate, size_t trial,
                     bool *ret_holds)
{
    struct trial_outcome outcome;
    for (*ret_holds = true; *ret_holds && trial < searching->subject.n_trials; trial++)
        if (!try_trial(searching, candidate, trial, &outcome, ret_holds))
            return false;
        else
            *ret_holds = *ret_holds && can_explain(searching, candidate, trial + 1);
    return true;
}

/* Tries it in all trials that there are, and keeps it when it holds in them. *ret_first is what
 * came of the first. */
static bool try_candidate(struct searching *searching, struct candidate *candidate,
                          struct trial_outcome *ret_first)
{
    bool holds;
    return try_trial(searching, candidate, 0, ret_first, &holds) &&
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

/* Has the other asked on fresh inputs, and drops what does not hold there. */
static bool confirm(struct searching *searching)
{
    struct subject *subject = &searching->subject;
    size_t n_fresh = 0, first = 0, n_kept = 0;
    if (searching->without_fresh)
        drop_dumb(searching);
    if (searching->n_found == 0 || searching->without_fresh)
        return true;
    if (!searching->has_asked) {
        first = subject->n_trials;
        if (!subject->ask(subject->context, &n_fresh, &searching->n_fresh_failing,
                          searching->reterr))
            return false;
        subject->n_trials += n_fresh;
        searching->has_asked = true;
    } else {
        first = subject->n_trials; /* it was tried on them already */
    }
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

/* ---- one change ---- */

/* One change, or the same one in several steps, that makes a difference in the first trial: what
 * pairs are made of. */
struct unit {
    const struct rewrite *changes[SEARCH_MAX_REWRITES]; /* in the order of the steps */
    size_t n;
    uint64_t digest; /* of what it makes of the first trial */
};

struct units {
    struct unit *items;
    size_t n;
    uint64_t unchanged; /* the digest without any change */
};

/* Adds what was tried, unless it changes nothing or the same as another one of the same steps. */
static void add_unit(struct units *units, const struct candidate *tried,
                     const struct trial_outcome *outcome)
{
    if (outcome->says_nothing || outcome->digest == units->unchanged)
        return;
    for (size_t i = 0; i < units->n; i++)
        if (units->items[i].digest == outcome->digest && units->items[i].n == tried->n &&
            units->items[i].changes[0]->step == tried->changes[0]->step)
            return;
    struct unit *unit = &units->items[units->n++];
    *unit = (struct unit){.n = tried->n, .digest = outcome->digest};
    memcpy(unit->changes, tried->changes, sizeof unit->changes);
}

static bool try_singles_of(struct searching *searching, const struct edit *edit,
                           struct units *units)
{
    const struct rewrites *singles = &searching->search->singles;
    struct trial_outcome outcome;
    for (size_t i = 0; i < singles->n; i++) {
        struct candidate candidate = {.changes = {&singles->items[i]}, .n = 1};
        if (singles->items[i].edit != edit)
            continue;
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
    for (size_t i = 0; i < searching->edits->n && !is_done; i++) {
        if (!try_singles_of(searching, &searching->edits->items[i], units))
            return false;
        is_done = searching->without_fresh && searching->n_found > 0;
    }
    return true;
}

/* ---- the same change wherever it fits ---- */

static bool is_same_way(const struct rewrite *a, const struct rewrite *b)
{
    return a->edit == b->edit && a->way == b->way;
}

/* The change and those like it in later steps, one a step. */
static struct candidate everywhere_from(const struct rewrites *singles, size_t i)
{
    struct candidate candidate = {.changes = {&singles->items[i]}, .n = 1};
    for (size_t k = i + 1; k < singles->n && candidate.n < SEARCH_MAX_REWRITES; k++)
        if (is_same_way(&singles->items[k], &singles->items[i]) &&
            singles->items[k].step != candidate.changes[candidate.n - 1]->step)
            candidate.changes[candidate.n++] = &singles->items[k];
    return candidate;
}

static bool try_everywhere(struct searching *searching, struct units *units)
{
    const struct rewrites *singles = &searching->search->singles;
    for (size_t i = 0; i < singles->n; i++) {
        struct candidate candidate = everywhere_from(singles, i);
        struct trial_outcome outcome;
        bool is_first = true;
        for (size_t k = 0; k < i && is_first; k++)
            is_first = !is_same_way(&singles->items[k], &singles->items[i]);
        if (!is_first || candidate.n == 1)
            continue;
        const struct candidate tried = candidate;
        if (!try_candidate(searching, &candidate, &outcome))
            return false;
        add_unit(units, &tried, &outcome);
    }
    return true;
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

/* The pairs of places i and j in the order of the edits with low < (i + 1) * (j + 1) <= high. */
static bool try_pairs_between(struct searching *searching, const struct units *units, size_t low,
                              size_t high)
{
    for (size_t i = 0; i < units->n && (i + 1) * (i + 2) <= high; i++)
        for (size_t j = i + 1; j < units->n && (i + 1) * (j + 1) <= high; j++) {
            struct candidate pair;
            struct trial_outcome outcome;
            if ((i + 1) * (j + 1) <= low || !join(&units->items[i], &units->items[j], &pair))
                continue;
            if (searching->pairs_left == 0 || searching->n_found > 0)
                return true;
            searching->pairs_left--;
            if (!try_candidate(searching, &pair, &outcome))
                return false;
        }
    return true;
}

/* Changes of different steps. One of two mistakes is often a common one: such pairs come first. */
static bool try_pairs_across(struct searching *searching, const struct units *units)
{
    size_t low = 0, last = units->n * units->n;
    for (size_t high = 64; low < last && searching->pairs_left > 0 && searching->n_found == 0;
         low = high, high *= 2)
        if (!try_pairs_between(searching, units, low, high))
            return false;
    return true;
}

/* A second change on top of each. */
static bool try_pairs_within(struct searching *searching, const struct units *units)
{
    struct rewrites *seconds = &searching->search->seconds;
    for (size_t i = 0; i < units->n && searching->pairs_left > 0 && searching->n_found == 0; i++) {
        size_t first = seconds->n;
        if (units->items[i].n > 1)
            continue;
        if (!rewrites_add_on(searching->edits, searching->formula, units->items[i].changes[0],
                             seconds, searching->reterr))
            return false;
        for (size_t k = first; k < seconds->n && searching->pairs_left > 0; k++) {
            struct candidate candidate = {.changes = {&seconds->items[k]}, .n = 1};
            struct trial_outcome outcome;
            searching->pairs_left--;
            if (!try_candidate(searching, &candidate, &outcome))
                return false;
        }
        if (searching->n_found == 0)
            seconds->n = first;
    }
    return true;
}

static bool try_pairs(struct searching *searching, const struct units *units, size_t most)
{
    qsort(units->items, units->n, sizeof *units->items, compare_units);
    searching->pairs_left = most - most / 3;
    if (!try_pairs_across(searching, units) || !confirm(searching))
        return false;
    searching->pairs_left = most / 3;
    return searching->n_found > 0 || (try_pairs_within(searching, units) && confirm(searching));
}

/* ---- what was found ---- */

/* Those that fit in more trials are better, then those of more common edits, then the first form of
 * the same. */
static bool is_better(const struct candidate *one, const struct candidate *other)
{
    if (one->n_agreed != other->n_agreed)
        return one->n_agreed > other->n_agreed;
    for (size_t i = 0; i < one->n && i < other->n; i++)
        if (one->changes[i]->edit != other->changes[i]->edit)
            return one->changes[i]->edit < other->changes[i]->edit;
        else if (one->changes[i]->way != other->changes[i]->way)
            return one->changes[i]->way < other->changes[i]->way;
    return false;
}

static const struct candidate *best_of(const struct searching *searching,
                                       const struct candidate *but)
{
    const struct candidate *best = NULL;
    for (size_t i = 0; i < searching->n_found; i++) {
        const struct candidate *one = &searching->found[i];
        if (but != NULL && one->changes[0]->edit == but->changes[0]->edit)
            continue;
        if (best == NULL || is_better(one, best))
            best = one;
    }
    return best;
}

static struct finding finding_of(const struct searching *searching)
{
    struct finding finding = {.n = 0};
    const struct candidate *best = best_of(searching, NULL);
    if (best == NULL || (best->n_telling == 0 && best_of(searching, best) != NULL))
        return finding; /* two reasons for a NaN are none */
    if (best->changes[0]->base != NULL)
        finding.changes[finding.n++] = best->changes[0]->base;
    finding.n_places = best->n;
    for (size_t i = 0; i < best->n && finding.n < SEARCH_MAX_MISTAKES; i++)
        if (finding.n == 0 || !is_same_way(best->changes[i], finding.changes[finding.n - 1]))
            finding.changes[finding.n++] = best->changes[i];
    if (finding.n == 2) {
        finding.combination =
            edits_combination(searching->edits, finding.changes[0]->edit, finding.changes[1]->edit);
    } else {
        const struct candidate *next = best_of(searching, best);
        if (next != NULL && next->n_agreed == best->n_agreed)
            finding.also = next->changes[0];
    }
    return finding;
}

static bool run(struct searching *searching, struct units *units, size_t most_steps)
{
    size_t most_pairs = most_steps / (searching->formula->n_steps + 1);
    return try_singles(searching, units) && confirm(searching) &&
           (searching->n_found > 0 || (try_everywhere(searching, units) && confirm(searching))) &&
           (searching->n_found > 0 || most_pairs == 0 || try_pairs(searching, units, most_pairs));
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
    units.items = ok ? calloc(2 * search->singles.n + 1, sizeof *units.items) : NULL;
    if (ok && units.items == NULL)
        ok = error_memory(reterr, "a diagnosis");
    ok = ok && run(&searching, &units, options->most_steps);
    if (ok)
        *ret = finding_of(&searching);
    free(units.items);
    free(searching.found);
    return ok;
}

void search_release(struct search *search)
{
    rewrites_release(&search->singles);
    rewrites_release(&search->seconds);
}
