/* Finding the misunderstanding: see find_misconception.h.
 *
 * An idea is kept while it agrees with the learner's numbers in one case after another, failing
 * cases first, since these rule out most. What agrees to the end explains them. */
#include "judge/find_misconception.h"

#include <stdlib.h>
#include <string.h>

struct idea_search {
    const struct exercise *exercise;
    const struct answered_case **cases; /* the failing ones first */
    size_t n_cases, n_failing;
    struct diagnosis best;
    size_t n_best; /* cases that the best ideas apply to; 0: nothing was found */
    struct error *reterr;
};

/* Do the ideas give the learner's numbers in one case? */
enum agreement { SAYS_NOTHING, DISAGREES, AGREES, FAILED };

static enum agreement agreement_of(const struct idea_search *search,
                                   const struct answered_case *answered,
                                   const struct misconception *const *ideas, size_t n_ideas)
{
    struct answer answer;
    struct error error = {0};
    if (!fixture_answer_under(answered->fixture, ideas, n_ideas, &answer, &error)) {
        if (idea_says_nothing(&error))
            return SAYS_NOTHING;
        if (search->reterr != NULL)
            *search->reterr = error;
        return FAILED;
    }
    bool alike = fixture_answers_alike(answered->fixture, answered->answer, &answer);
    answer_release(&answer);
    return alike ? AGREES : DISAGREES;
}

/* Asks whether these ideas give the learner's numbers, and at least one failing case's. */
static bool try_ideas(struct idea_search *search, const struct misconception *const *ideas,
                      size_t n_ideas)
{
    size_t n_agrees = 0, n_explained = 0;
    for (size_t i = 0; i < search->n_cases; i++) {
        enum agreement agreement = agreement_of(search, search->cases[i], ideas, n_ideas);
        if (agreement == FAILED)
            return false;
        if (agreement == DISAGREES)
            return true;
        n_agrees += agreement == AGREES;
        n_explained += agreement == AGREES && i < search->n_failing;
    }
    if (n_explained > 0 && n_agrees > search->n_best) {
        search->n_best = n_agrees;
        memcpy(search->best.ideas, ideas, n_ideas * sizeof *ideas);
        search->best.n_ideas = n_ideas;
    }
    return true;
}

static bool shows_in_numbers(const struct misconception *idea)
{
    return idea->stages.n > 0;
}

static bool try_singles(struct idea_search *search)
{
    const struct exercise *exercise = search->exercise;
    for (unsigned i = 0; i < exercise->n_misconceptions; i++) {
        const struct misconception *idea = &exercise->misconceptions[i];
        if (shows_in_numbers(idea) && !try_ideas(search, &idea, 1))
            return false;
    }
    return true;
}

/* In both orders: where they replace the same stage, the first one does. */
static bool try_pair(struct idea_search *search, const struct misconception *a,
                     const struct misconception *b)
{
    return try_ideas(search, (const struct misconception *[]){a, b}, 2) &&
           try_ideas(search, (const struct misconception *[]){b, a}, 2);
}

static bool try_pairs(struct idea_search *search)
{
    const struct misconception *all = search->exercise->misconceptions;
    for (unsigned i = 0; i < search->exercise->n_misconceptions; i++)
        for (unsigned j = i + 1; j < search->exercise->n_misconceptions; j++)
            if (shows_in_numbers(&all[i]) && shows_in_numbers(&all[j]) &&
                !try_pair(search, &all[i], &all[j]))
                return false;
    return true;
}

/* Failing cases first, else in their order. */
static void sort_cases(struct idea_search *search, const struct answered_case *answered,
                       size_t n_answered)
{
    size_t n_passing = 0;
    for (size_t i = 0; i < n_answered; i++) {
        const struct answered_case *one = &answered[i];
        if (fixture_compare(one->fixture, one->answer).verdict == VERDICT_PASS)
            search->cases[n_answered - ++n_passing] = one;
        else
            search->cases[search->n_failing++] = one;
    }
    search->n_cases = n_answered;
}

bool misconception_find(const struct exercise *exercise, const struct answered_case *answered,
                        size_t n_answered, bool pairs, struct diagnosis *ret, struct error *reterr)
{
    struct idea_search search = {.exercise = exercise, .reterr = reterr};
    search.cases = malloc((n_answered + 1) * sizeof *search.cases);
    if (search.cases == NULL)
        return error_memory(reterr, "a diagnosis");
    sort_cases(&search, answered, n_answered);
    bool ok = search.n_failing == 0 || (pairs ? try_pairs(&search) : try_singles(&search));
    free(search.cases);
    if (ok) {
        memcpy(ret->ideas, search.best.ideas, sizeof ret->ideas);
        ret->n_ideas = search.best.n_ideas;
    }
    return ok;
}

void diagnosis_release(struct diagnosis *diagnosis)
{
    arena_release(&diagnosis->words);
    *diagnosis = (struct diagnosis){.n_ideas = 0};
}

const struct misconception *misconception_of_verdict(const struct exercise *exercise,
                                                     enum verdict verdict)
{
    for (unsigned i = 0; i < exercise->n_misconceptions; i++) {
        const struct misconception *idea = &exercise->misconceptions[i];
        if (idea->verdict != NULL && strcmp(idea->verdict, verdict_name(verdict)) == 0)
            return idea;
    }
    return NULL;
}

void misconception_explain(const struct misconception *idea, struct text *text)
{
    if (idea->seen != NULL) {
        text_format(text, "%s\n%s", idea->seen, idea->ask);
        return;
    }
    if (idea->when != NULL)
        text_format(text, "These numbers come out when %s.\n", idea->when);
    text_format(text, "%s\nStage %s: %s", idea->ask, idea->stage, idea->math);
}
