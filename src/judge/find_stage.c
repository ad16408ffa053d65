/* The search for the stage that is not right: see find_stage.h. */
#include "judge/find_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/stage_mistakes.h"

enum { MOST_CELLS = 500 }; /* of a case that is looked at, in all arrays */

/* What one case says of each array that the function fills. */
struct observation {
    struct fixture *fixture;
    bool filled[FIXTURE_MAX_ARRAYS], right[FIXTURE_MAX_ARRAYS];
    /* Of an array that is wrong, with numbers in it: any stage on the way can leave a NaN. */
    bool asks[FIXTURE_MAX_ARRAYS];
    unsigned n_suspects[FIXTURE_MAX_ARRAYS]; /* stages that can be the reason */
    unsigned suspect[FIXTURE_MAX_ARRAYS];    /* the last of them */
    bool shows[FIXTURE_MAX_ARRAYS];          /* the mistake that is tried shows in it */
    bool explained[FIXTURE_MAX_ARRAYS];      /* some mistake of the stage that is tried does */
    bool is_right;                           /* some array is */
};

struct stage_search {
    const struct exercise *exercise;
    bool with_ideas;
    struct observation *observations; /* [n]: those with right arrays first, then the others */
    size_t n;
    struct error *reterr;
};

static void observe(const struct answered_case *answered, struct observation *ret)
{
    *ret = (struct observation){.fixture = answered->fixture};
    for (unsigned i = 0; i < answered->fixture->exercise->n_arrays; i++) {
        ret->filled[i] = answered->fixture->exercise->arrays[i].role != ROLE_IN;
        if (!ret->filled[i])
            continue;
        struct difference difference =
            fixture_compare_array(answered->fixture, answered->answer, i);
        ret->right[i] = difference.verdict == VERDICT_PASS;
        ret->is_right = ret->is_right || ret->right[i];
        ret->asks[i] = difference.verdict == VERDICT_WRONG_ANSWER;
    }
}

/* How many pairs of its sizes differ: what goes wrong shows most where they all do. */
static unsigned count_unequal_sizes(const struct fixture *fixture)
{
    unsigned n = 0;
    for (unsigned a = 0; a < fixture->exercise->prototype.n_params; a++)
        for (unsigned b = 0; b < a; b++)
            n += fixture->scalars[a] != fixture->scalars[b] && fixture->scalars[a] > 1;
    return n;
}

static int compare_observations(const void *a, const void *b)
{
    const struct observation *one = a, *other = b;
    if (one->is_right != other->is_right)
        return one->is_right ? -1 : 1;
    unsigned one_count = count_unequal_sizes(one->fixture);
    unsigned other_count = count_unequal_sizes(other->fixture);
    return (one_count < other_count) - (one_count > other_count);
}

/* Those that rule most out first. */
static bool observe_all(struct stage_search *search, const struct answered_case *answered, size_t n)
{
    search->observations = calloc(n + 1, sizeof *search->observations);
    if (search->observations == NULL)
        return error_memory(search->reterr, "a search for a stage");
    for (size_t i = 0; i < n; i++)
        if (answered[i].fixture->n_cells <= MOST_CELLS)
            observe(&answered[i], &search->observations[search->n++]);
    qsort(search->observations, search->n, sizeof *search->observations, compare_observations);
    return true;
}

/* What a mistake would do to one case. */
enum effect { SHOWS_IN_RIGHT, SHOWS_IN_WRONG, SHOWS_NOWHERE, FAILED };

/* The formula has no answer since shapes don't fit; C reads something else then. */
static bool says_no_answer(const struct stage_mistake *mistake, const struct error *error)
{
    return mistake->idea == NULL && error->kind != ERR_NONE;
}

static enum effect effect_of_misfit(struct observation *observation)
{
    memcpy(observation->shows, observation->asks, sizeof observation->shows);
    return observation->is_right ? SHOWS_IN_RIGHT : SHOWS_IN_WRONG;
}

/* Notes which arrays of the case the mistake would make wrong. */
static enum effect effect_of(const struct stage_search *search, const struct stage_mistake *mistake,
                             struct observation *observation)
{
    struct answer answer;
    struct error error = {0};
    enum effect effect = SHOWS_NOWHERE;
    memset(observation->shows, 0, sizeof observation->shows);
    if (!stage_mistake_answer(mistake, observation->fixture, &answer, &error)) {
        if (idea_says_nothing(&error))
            return says_no_answer(mistake, &error) ? effect_of_misfit(observation) : effect;
        if (search->reterr != NULL)
            *search->reterr = error;
        return FAILED;
    }
    for (unsigned i = 0; i < search->exercise->n_arrays; i++) {
        bool shows =
            observation->filled[i] &&
            fixture_compare_array(observation->fixture, &answer, i).verdict != VERDICT_PASS;
        observation->shows[i] = shows;
        if (shows && observation->right[i])
            effect = SHOWS_IN_RIGHT;
        else if (shows && effect == SHOWS_NOWHERE)
            effect = SHOWS_IN_WRONG;
    }
    answer_release(&answer);
    return effect;
}

/* Tries a mistake in every case: one that would show where all is right is not this one. What the
 * others show in counts as explained. */
static bool try_mistake(struct stage_search *search, const struct stage_mistake *mistake)
{
    for (size_t i = 0; i < search->n; i++) {
        enum effect effect = effect_of(search, mistake, &search->observations[i]);
        if (effect == FAILED || effect == SHOWS_IN_RIGHT)
            return effect != FAILED;
    }
    for (size_t i = 0; i < search->n; i++)
        for (unsigned array = 0; array < FIXTURE_MAX_ARRAYS; array++)
            if (search->observations[i].shows[array])
                search->observations[i].explained[array] = true;
    return true;
}

/* Does the stage that was tried explain every wrong array? */
static bool explains_all(const struct stage_search *search)
{
    for (size_t i = 0; i < search->n; i++)
        for (unsigned array = 0; array < search->exercise->n_arrays; array++)
            if (search->observations[i].asks[array] && !search->observations[i].explained[array])
                return false;
    return true;
}

/* Tries the mistakes of a stage, until they explain all. */
static bool try_stage(struct stage_search *search, const struct fixture *example, unsigned stage)
{
    struct stage_mistakes mistakes = {0};
    for (size_t i = 0; i < search->n; i++)
        memset(search->observations[i].explained, 0, sizeof search->observations[i].explained);
    bool ok = stage_mistakes_list(example, stage, search->with_ideas, &mistakes, search->reterr);
    for (size_t i = 0; ok && i < mistakes.n && !explains_all(search); i++)
        ok = try_mistake(search, &mistakes.items[i]);
    stage_mistakes_release(&mistakes);
    return ok;
}

/* Adds the stage that was tried to the suspects of each array that it explains. */
static void suspect(struct stage_search *search, unsigned stage)
{
    for (size_t i = 0; i < search->n; i++)
        for (unsigned array = 0; array < search->exercise->n_arrays; array++) {
            struct observation *observation = &search->observations[i];
            if (!observation->asks[array] || !observation->explained[array])
                continue;
            observation->n_suspects[array]++;
            observation->suspect[array] = stage;
        }
}

enum { NO_STAGE = -1 };

/* The stage that alone can be the reason of some wrong array, and of no array another one;
 * NO_STAGE: there is none. *ret_open: there are arrays with less than two suspects. */
static int lone_suspect(const struct stage_search *search, bool *ret_open)
{
    int found = NO_STAGE;
    bool is_one = true;
    *ret_open = false;
    for (size_t i = 0; i < search->n; i++)
        for (unsigned array = 0; array < search->exercise->n_arrays; array++) {
            const struct observation *observation = &search->observations[i];
            if (!observation->asks[array] || observation->n_suspects[array] > 1)
                continue;
            *ret_open = true;
            if (observation->n_suspects[array] == 0)
                continue;
            is_one = is_one && (found == NO_STAGE || found == (int)observation->suspect[array]);
            found = (int)observation->suspect[array];
        }
    return is_one ? found : NO_STAGE;
}

static const struct fixture *example_of(const struct stage_search *search)
{
    const struct fixture *best = search->observations[0].fixture;
    for (size_t i = 1; i < search->n; i++)
        if (count_unequal_sizes(search->observations[i].fixture) > count_unequal_sizes(best))
            best = search->observations[i].fixture;
    return best;
}

/* Is a case wrong whose numbers are all drawn at random? What goes wrong with special numbers only,
 * any stage on the way may have tripped over. */
static bool is_wrong_at_random(const struct stage_search *search)
{
    for (size_t i = 0; i < search->n; i++)
        for (unsigned array = 0; array < search->exercise->n_arrays; array++)
            if (search->observations[i].asks[array] &&
                search->observations[i].fixture->source->draw.n == 0)
                return true;
    return false;
}

/* Copies the name of a stage; one that is too long is left out. */
static void name_stage(const struct exercise *exercise, unsigned stage, char ret[STAGE_NAME_BYTES])
{
    const char *name;
    size_t size = statement_target(exercise->stages.items[stage], &name);
    if (size < STAGE_NAME_BYTES)
        snprintf(ret, STAGE_NAME_BYTES, "%.*s", (int)size, name);
}

bool find_stage(const struct exercise *exercise, const struct answered_case *answered,
                size_t n_answered, bool with_ideas, char ret[STAGE_NAME_BYTES],
                struct error *reterr)
{
    struct stage_search search = {.exercise = exercise, .with_ideas = with_ideas, .reterr = reterr};
    const struct fixture *example = NULL;
    bool open = true;
    int found = NO_STAGE;
    bool ok = observe_all(&search, answered, n_answered);
    if (ok && is_wrong_at_random(&search))
        example = example_of(&search);
    for (unsigned i = 0; ok && example != NULL && i < exercise->stages.n && open; i++) {
        ok = try_stage(&search, example, i);
        suspect(&search, i);
        found = lone_suspect(&search, &open);
    }
    if (ok && found != NO_STAGE)
        ok = try_stage(&search, example, (unsigned)found);
    ret[0] = '\0';
    if (ok && found != NO_STAGE && explains_all(&search))
        name_stage(exercise, (unsigned)found, ret);
    free(search.observations);
    return ok;
}
