/* The search: see search.h. */
#include "diagnose/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

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

/* Does it explain enough? What says nothing of many wrong cases explains none of them, and nothing
 * but NaN everywhere has a thousand reasons. */
static bool is_explanation(const struct candidate *candidate)
{
    enum { TIMES = 3 };
    return candidate->n_explained > 0 && candidate->n_explained >= TIMES * candidate->n_silent &&
           candidate->n_agreed >= TIMES * candidate->n_near &&
           (candidate->n_telling > 0 || candidate->n_right > 0);
}

static bool try_from(struct searching *searching, struct candidate *candidate, size_t trial,
                     bool *ret_holds)
{
    struct trial_outcome outcome;
    for (*ret_holds = true; *ret_holds && trial < searching->subject.n_trials; trial++)
        if (!try_trial(searching, candidate, trial, &outcome, ret_holds))
            return false;
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

/* Has the other asked on fresh inputs, and drops what does not hold there. */
static bool confirm(struct searching *searching)
{
    struct subject *subject = &searching->subject;
    size_t n_fresh = 0, first = 0, n_kept = 0;
    if (searching->n_found == 0)
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

/* The changes that make a difference in the first trial, each another one: what pairs are made of.
 */
struct lively {
    const struct rewrite **items;
    uint64_t *digests;
    size_t n;
};

static bool is_new(const struct lively *lively, const struct rewrite *change, uint64_t digest)
{
    for (size_t i = 0; i < lively->n; i++)
        if (lively->digests[i] == digest && lively->items[i]->step == change->step)
            return false;
    return true;
}

static bool try_singles(struct searching *searching, struct lively *lively)
{
    const struct rewrites *singles = &searching->search->singles;
    struct candidate right = {.n = 0};
    struct trial_outcome unchanged, outcome;
    bool holds;
    if (!try_trial(searching, &right, 0, &unchanged, &holds))
        return false;
    for (size_t i = 0; i < singles->n; i++) {
        struct candidate candidate = {.changes = {&singles->items[i]}, .n = 1};
        if (!try_candidate(searching, &candidate, &outcome))
            return false;
        if (outcome.says_nothing || outcome.digest == unchanged.digest ||
            !is_new(lively, &singles->items[i], outcome.digest))
            continue;
        lively->digests[lively->n] = outcome.digest;
        lively->items[lively->n++] = &singles->items[i];
    }
    return true;
}

/* ---- two changes ---- */

/* By how common the edit is, then by place. */
static int compare_rewrites(const void *a, const void *b)
{
    const struct rewrite *one = *(const struct rewrite *const *)a;
    const struct rewrite *other = *(const struct rewrite *const *)b;
    if (one->edit != other->edit)
        return one->edit < other->edit ? -1 : 1;
    return (one > other) - (one < other);
}

static bool try_pair(struct searching *searching, const struct rewrite *a, const struct rewrite *b)
{
    bool in_order = a->step < b->step;
    struct candidate candidate = {.changes = {in_order ? a : b, in_order ? b : a}, .n = 2};
    struct trial_outcome outcome;
    searching->pairs_left--;
    return try_candidate(searching, &candidate, &outcome);
}

/* Changes of different steps, the pairs of the most common ones first. */
static bool try_pairs_across(struct searching *searching, const struct lively *lively)
{
    for (size_t sum = 1; sum + 2 < 2 * lively->n; sum++)
        for (size_t i = 0; i <= (sum - 1) / 2 && i < lively->n; i++) {
            size_t j = sum - i;
            if (j >= lively->n || lively->items[i]->step == lively->items[j]->step)
                continue;
            if (searching->pairs_left == 0 || searching->n_found > 0)
                return true;
            if (!try_pair(searching, lively->items[i], lively->items[j]))
                return false;
        }
    return true;
}

/* A second change on top of each. */
static bool try_pairs_within(struct searching *searching, const struct lively *lively)
{
    struct rewrites *seconds = &searching->search->seconds;
    for (size_t i = 0; i < lively->n && searching->pairs_left > 0 && searching->n_found == 0; i++) {
        size_t first = seconds->n;
        if (!rewrites_add_on(searching->edits, searching->formula, lively->items[i], seconds,
                             searching->reterr))
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

static bool try_pairs(struct searching *searching, const struct lively *lively, size_t most)
{
    qsort(lively->items, lively->n, sizeof *lively->items, compare_rewrites);
    searching->pairs_left = most - most / 3;
    if (!try_pairs_across(searching, lively) || !confirm(searching))
        return false;
    searching->pairs_left = most / 3;
    return searching->n_found > 0 || (try_pairs_within(searching, lively) && confirm(searching));
}

/* ---- what was found ---- */

/* Those that fit in more trials are better, then those of more common edits. */
static bool is_better(const struct candidate *one, const struct candidate *other)
{
    if (one->n_agreed != other->n_agreed)
        return one->n_agreed > other->n_agreed;
    for (size_t i = 0; i < one->n && i < other->n; i++)
        if (one->changes[i]->edit != other->changes[i]->edit)
            return one->changes[i]->edit < other->changes[i]->edit;
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
    for (size_t i = 0; i < best->n; i++)
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

static bool run(struct searching *searching, struct lively *lively, size_t most_pairs)
{
    return try_singles(searching, lively) && confirm(searching) &&
           (searching->n_found > 0 || most_pairs == 0 || try_pairs(searching, lively, most_pairs));
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
                                  .reterr = reterr};
    struct lively lively = {0};
    bool ok = true;
    *ret = (struct finding){.n = 0};
    if (subject->n_failing == 0)
        return true;
    for (size_t i = 0; ok && i < formula->n_steps; i++)
        ok = rewrites_add(edits, formula, i, &search->singles, reterr);
    size_t n = search->singles.n + 1;
    lively.items = ok ? calloc(n, sizeof *lively.items) : NULL;
    lively.digests = ok ? calloc(n, sizeof *lively.digests) : NULL;
    if (ok && (lively.items == NULL || lively.digests == NULL))
        ok = error_memory(reterr, "a diagnosis");
    ok = ok && run(&searching, &lively, options->most_pairs);
    if (ok)
        *ret = finding_of(&searching);
    free(lively.items);
    free(lively.digests);
    free(searching.found);
    return ok;
}

void search_release(struct search *search)
{
    rewrites_release(&search->singles);
    rewrites_release(&search->seconds);
}
