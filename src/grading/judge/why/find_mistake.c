/* Naming a mistake: see find_mistake.h. */
#include "judge/why/find_mistake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/search.h"
#include "exercise/c_tokens.h"
#include "judge/why/stage_formula.h"

/* ---- the exercise's own misconceptions ----
 *
 * An idea is kept while it agrees with the learner's numbers in one case after another, failing
 * cases first, since these rule out most. An idea that agrees to the end explains the numbers. */

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

/* ---- mistakes in the formula ---- */

enum {
    MOST_CELLS = 4000, /* of a case that is tried: larger ones say no more */
    SMALL_CELLS = 800, /* and of one that pairs of changes are tried in: sums up to each number of a
                        * row of 1500 take a second for a hundred pairs */
    MAX_FRESH = 48,    /* cases on fresh inputs */
    MAX_APART = 8,     /* and on such as two explanations differ in */
    MAX_ASKED = MAX_FRESH + MAX_APART,
};

/* A case drawn afterwards, and what the submission answered. */
struct fresh_case {
    struct fixture *fixture;
    struct case_run run;
    struct exercise_case source; /* where it is not the exercise's own */
    bool is_far;                 /* its numbers are far apart */
};

struct asking {
    const struct mistake_question *question;
    struct answered_case *trials; /* the failing ones first */
    bool *is_far;                 /* of each: see fresh_case */
    size_t n, n_failing;
    struct fresh_case fresh[MAX_ASKED];
    size_t n_fresh, n_apart;
    size_t n_fresh_trials;  /* this many of them were added to the trials */
    size_t n_fresh_failing; /* they come first among those that were added to the trials */
    bool has_asked;
    bool is_finding_whole; /* struct finding: the search found what gives all numbers */
    bool is_foreseen_dumb; /* the idea that was foreseen explains no number but NaN */
    struct arena arena;    /* lines of fresh cases */
    struct error *reterr;
};

/* ---- trials ---- */

static bool is_wrong(const struct answered_case *answered)
{
    return fixture_compare(answered->fixture, answered->answer).verdict != VERDICT_PASS;
}

static bool is_small(const struct answered_case *answered)
{
    return answered->fixture->n_cells <= SMALL_CELLS;
}

/* Failing cases before right ones and large ones last, then those of which most is to be learnt:
 * drawn ones before public ones, different sizes before equal ones, small ones before larger ones.
 */
static int compare_trials(const void *a, const void *b)
{
    const struct answered_case *one = a, *other = b;
    bool one_wrong = is_wrong(one), other_wrong = is_wrong(other);
    if (one_wrong != other_wrong)
        return one_wrong ? -1 : 1;
    if (is_small(one) != is_small(other))
        return is_small(one) ? -1 : 1;
    if (one->fixture->is_public != other->fixture->is_public)
        return one->fixture->is_public ? 1 : -1;
    unsigned one_rank = fixture_size_rank(one->fixture),
             other_rank = fixture_size_rank(other->fixture);
    if (one_rank != other_rank)
        return one_rank > other_rank ? -1 : 1;
    return (one->fixture->n_cells > other->fixture->n_cells) -
           (one->fixture->n_cells < other->fixture->n_cells);
}

static bool take_trials(struct asking *asking)
{
    const struct mistake_question *question = asking->question;
    asking->trials = calloc(question->n + MAX_ASKED + 1, sizeof *asking->trials);
    asking->is_far = calloc(question->n + MAX_ASKED + 1, sizeof *asking->is_far);
    if (asking->trials == NULL || asking->is_far == NULL)
        return error_memory(asking->reterr, "a diagnosis");
    for (size_t i = 0; i < question->n; i++)
        if (question->answered[i].fixture->n_cells <= MOST_CELLS)
            asking->trials[asking->n++] = question->answered[i];
    qsort(asking->trials, asking->n, sizeof *asking->trials, compare_trials);
    while (asking->n_failing < asking->n && is_wrong(&asking->trials[asking->n_failing]))
        asking->n_failing++;
    return true;
}

static bool has_nan(const struct fixture *fixture, const struct answer *answer)
{
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (size_t k = 0; answer->floats[i] != NULL && k < fixture->arrays[i].n_cells; k++)
            if (isnan(answer->floats[i][k]))
                return true;
    return false;
}

/* ---- fresh inputs ---- */

static uint64_t fresh_seed(const struct asking *asking, unsigned round)
{
    static const uint64_t odd = 0x9E3779B97F4A7C15; /* splitmix64's increment */
    return asking->question->seed ^ (odd * (round + 1));
}

/* Draws a case into the next place; NULL if it can't be drawn. */
static struct fixture *draw_next(struct asking *asking, const struct fixture *like,
                                 const struct exercise_case *source, unsigned round)
{
    const struct mistake_question *question = asking->question;
    struct fresh_case *fresh = &asking->fresh[asking->n_fresh];
    struct fixture *fixture = NULL;
    if (source != like->source)
        fresh->source = *source;
    return fixture_draw(question->exercise, source == like->source ? source : &fresh->source,
                        like->repeat, fresh_seed(asking, round), NULL, false, question->data_dir,
                        &fixture, NULL)
               ? fixture
               : NULL;
}

/* Runs the submission on a case in the next place, and keeps both where it gives numbers; else the
 * case is freed. */
static bool answer_next(struct asking *asking, struct fixture *fixture, bool *ret_kept)
{
    struct fresh_case *fresh = &asking->fresh[asking->n_fresh];
    bool ok = case_runner_run(asking->question->runner, fixture, asking->n_fresh % 2 == 0,
                              &fresh->run, asking->reterr);
    *ret_kept = ok && fresh->run.answered;
    if (ok && !*ret_kept)
        case_run_release(&fresh->run);
    if (*ret_kept)
        asking->fresh[asking->n_fresh++].fixture = fixture;
    else
        fixture_free(fixture);
    return ok;
}

/* Draws a case and runs the submission on it. What can't be drawn or gives no numbers is left out.
 */
static bool ask_one(struct asking *asking, const struct fixture *like,
                    const struct exercise_case *source, unsigned round)
{
    bool is_kept;
    struct fixture *fixture =
        asking->n_fresh < MAX_FRESH ? draw_next(asking, like, source, round) : NULL;
    return fixture == NULL || answer_next(asking, fixture, &is_kept);
}

static void make_room(struct asking *asking)
{
    for (size_t i = 0; i < asking->n; i++)
        runner_plan_fit(&asking->question->runner->plan, asking->trials[i].fixture);
}

static bool ask_changed(struct asking *asking, const struct fixture *like, const char *recipe,
                        int only, unsigned round)
{
    struct exercise_case changed;
    if (asking->n_fresh < MAX_FRESH)
        asking->fresh[asking->n_fresh].is_far =
            recipe != changed_little && recipe != changed_to_whole && recipe != changed_hidden;
    return changed_case(like, recipe, only, &asking->arena, &changed, asking->reterr) &&
           ask_one(asking, like, &changed, round);
}

/* Asks about cases like this one. Numbers that were drawn are drawn again; others are changed. */
static bool ask_alike(struct asking *asking, const struct fixture *like)
{
    bool ok = like->is_public ? ask_changed(asking, like, changed_little, -1, 0)
                              : ask_one(asking, like, like->source, 0) &&
                                    ask_changed(asking, like, changed_to_whole, -1, 2);
    for (unsigned i = 0; ok && i < like->exercise->n_arrays; i++)
        if (is_float_input(like, i))
            ok = ask_changed(asking, like, like->is_public ? changed_little : changed_far_apart,
                             (int)i, 1);
    return ok;
}

/* The same numbers larger and larger: where a float ends, mistakes that give NaN differ. */
static bool ask_for_end(struct asking *asking)
{
    const struct fixture *like = NULL;
    bool ok = true, any_nan = false;
    for (size_t i = 0; i < asking->n; i++) {
        const struct fixture *fixture = asking->trials[i].fixture;
        any_nan = any_nan || has_nan(fixture, asking->trials[i].answer);
        if (!fixture->is_public && fixture->n_cells <= MOST_CELLS / 8 &&
            (like == NULL || fixture->n_cells > like->n_cells))
            like = fixture;
    }
    for (unsigned i = 0; ok && any_nan && like != NULL && i < like->exercise->n_arrays; i++)
        for (unsigned k = 0; is_float_input(like, i) && ok && k < CHANGED_SCALES; k++)
            ok = ask_changed(asking, like, changed_scales[k], (int)i, 3);
    return ok;
}

/* Is a row of truths all false? Then such rows are asked for. */
static bool hides_a_row(const struct fixture *fixture, unsigned array)
{
    const struct fixture_array *a = &fixture->arrays[array];
    const unsigned char *truths = a->before;
    if (!a->boolean || !a->present || truths == NULL || a->n_axes < 2 || a->n_cells == 0)
        return false;
    size_t n_cols = a->shape[a->n_axes - 1];
    for (size_t row = 0; row < a->n_cells / n_cols; row++)
        if (memchr(truths + row * n_cols, 1, n_cols) == NULL)
            return true;
    return false;
}

/* Do the stages read the array under its own name? Else to change it may change nothing there. */
static bool stages_read(const struct exercise *exercise, unsigned array)
{
    const char *name = exercise->arrays[array].name;
    for (unsigned i = 0; i < exercise->stages.n; i++) {
        struct c_scan scan =
            c_scan_of(exercise->stages.items[i], strlen(exercise->stages.items[i]));
        struct c_token token;
        while (c_next_token(&scan, &token))
            if (text_equals(token.begin, token.size, name))
                return true;
    }
    return false;
}

/* The drawn case with the fewest numbers that has some rows. */
static const struct fixture *small_drawn(const struct asking *asking, unsigned array)
{
    const struct fixture *found = NULL;
    for (size_t i = 0; i < asking->n; i++) {
        const struct fixture *one = asking->trials[i].fixture;
        const struct fixture_array *a = &one->arrays[array];
        if (!one->is_public && a->present && a->n_axes >= 2 && a->shape[a->n_axes - 2] > 2 &&
            (found == NULL || one->n_cells < found->n_cells))
            found = one;
    }
    return found;
}

/* Rows with everything hidden, before and behind others. */
static bool ask_for_hidden(struct asking *asking)
{
    enum { ROUNDS = 6 };
    const struct exercise *exercise = asking->question->exercise;
    bool ok = true;
    for (unsigned array = 0; ok && array < exercise->n_arrays; array++) {
        const struct fixture *like = NULL;
        for (size_t i = 0; i < asking->n && like == NULL && stages_read(exercise, array); i++)
            like =
                hides_a_row(asking->trials[i].fixture, array) ? small_drawn(asking, array) : NULL;
        for (unsigned round = 0; ok && like != NULL && round < ROUNDS; round++)
            ok = ask_changed(asking, like, changed_hidden, (int)array, 4 + round);
    }
    return ok;
}

/* Is it wrong by so little that rounding alone can be the reason? Then it says nothing. */
static bool is_off_by_rounding(const struct answered_case *answered)
{
    struct answer right;
    if (!is_wrong(answered) || !fixture_right_answer(answered->fixture, &right, NULL))
        return false;
    bool near = fixture_answers_near(answered->fixture, answered->answer, &right);
    answer_release(&right);
    return near;
}

static void add_trials(struct asking *asking, bool wrong)
{
    for (size_t i = 0; i < asking->n_fresh; i++) {
        struct answered_case one = {asking->fresh[i].fixture, &asking->fresh[i].run.answer};
        if (is_wrong(&one) != wrong || is_off_by_rounding(&one))
            continue;
        asking->is_far[asking->n] = asking->fresh[i].is_far;
        asking->trials[asking->n++] = one;
        asking->n_fresh_trials++;
        asking->n_fresh_failing += wrong;
    }
}

/* Asks the submission once more, on cases like those that failed, and on some that were right. */
static bool ask(struct asking *asking)
{
    size_t n = asking->n;
    if (asking->has_asked)
        return true;
    asking->has_asked = true;
    make_room(asking);
    if (!ask_for_end(asking) || !ask_for_hidden(asking))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!ask_alike(asking, asking->trials[i].fixture))
            return false;
    add_trials(asking, true);
    add_trials(asking, false);
    return true;
}

static bool ask_for_search(void *context, size_t *ret_n, size_t *ret_n_failing,
                           struct error *reterr)
{
    struct asking *asking = context;
    size_t n = asking->n - asking->n_fresh_trials;
    asking->reterr = reterr;
    bool ok = ask(asking);
    *ret_n = asking->n - n;
    *ret_n_failing = asking->n_fresh_failing;
    return ok;
}

/* ---- what changes come to ---- */

/* Nearly the answer, which is far from the right one. */
static bool is_near(const struct answered_case *answered, const struct answer *answer)
{
    struct answer right;
    if (!fixture_answers_near(answered->fixture, answered->answer, answer) ||
        !fixture_right_answer(answered->fixture, &right, NULL))
        return false;
    bool near_right = fixture_answers_near(answered->fixture, answered->answer, &right);
    answer_release(&right);
    return !near_right;
}

/* Is it the answer, but for numbers that were too large for a float, and that a double or another
 * order bore? */
static bool bears_more(const struct answered_case *answered, const struct answer *answer)
{
    const struct fixture *fixture = answered->fixture;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (size_t k = 0; answer->floats[i] != NULL && k < fixture->arrays[i].n_cells; k++) {
            float got = answered->answer->floats[i][k], other = answer->floats[i][k];
            if (!fixture_cells_alike(fixture, i, k, got, other) &&
                !(isnan(other) && fixture_cell_right(fixture, i, k, got)))
                return false;
        }
    return true;
}

/* No number in it is wrong but NaN; or but 0, which two changes can give in a thousand ways. */
static bool is_dumb(const struct answered_case *answered, bool is_pair)
{
    const struct fixture *fixture = answered->fixture;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (size_t k = 0; answered->answer->floats[i] != NULL && k < fixture->arrays[i].n_cells;
             k++) {
            float got = answered->answer->floats[i][k];
            if (!isnan(got) && !(is_pair && got == 0) && !fixture_cell_right(fixture, i, k, got))
                return false;
        }
    return true;
}

static bool work_out(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                     struct trial_outcome *ret, struct error *reterr)
{
    struct asking *asking = context;
    const struct answered_case *answered = &asking->trials[trial];
    struct answer answer;
    struct error error = {0};
    ret->cost = stage_formula_cost(answered->fixture);
    if (!stage_formula_answer(answered->fixture, changes, n, &answer, &error)) {
        ret->says_nothing = true;
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    }
    ret->agrees = fixture_answers_alike(answered->fixture, answered->answer, &answer);
    ret->says_nothing = !ret->agrees && asking->is_far[trial] && bears_more(answered, &answer);
    ret->is_near = !ret->agrees && is_near(answered, &answer);
    ret->is_dumb = ret->agrees && is_dumb(answered, n > 1 || (n == 1 && changes[0]->base != NULL));
    ret->digest = answer_digest(answered->fixture, &answer);
    answer_release(&answer);
    return true;
}

static bool parts(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                  struct answer_parts *ret, struct error *reterr)
{
    const struct answered_case *answered = &((struct asking *)context)->trials[trial];
    return stage_formula_parts(answered->fixture, answered->answer, changes, n, ret, reterr);
}

/* ---- which of two explanations ---- */

static bool answer_of(struct fixture *fixture, const struct change_set *changes, struct answer *ret,
                      bool *ret_there, struct error *reterr)
{
    struct error error = {0};
    *ret_there = stage_formula_answer(fixture, changes->changes, changes->n, ret, &error);
    return *ret_there || !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
}

/* Do the two give different numbers? */
static bool differ(struct fixture *fixture, const struct change_set *a, const struct change_set *b,
                   bool *ret, struct error *reterr)
{
    struct answer one = {0}, other = {0};
    bool has_one = false, has_other = false;
    bool ok = answer_of(fixture, a, &one, &has_one, reterr) &&
              answer_of(fixture, b, &other, &has_other, reterr);
    *ret = ok && has_one && has_other && !fixture_answers_alike(fixture, &one, &other);
    if (has_one)
        answer_release(&one);
    if (has_other)
        answer_release(&other);
    return ok;
}

/* Adds a case that the submission was asked about to the trials. */
static void add_apart(struct asking *asking, bool is_far)
{
    struct fresh_case *fresh = &asking->fresh[asking->n_fresh - 1];
    fresh->is_far = is_far;
    asking->is_far[asking->n] = is_far;
    asking->trials[asking->n++] = (struct answered_case){fresh->fixture, &fresh->run.answer};
    asking->n_fresh_trials++;
    asking->n_apart++;
}

/* Draws a case like this one with an array's numbers changed, and asks about it where the two
 * differ. */
static bool ask_apart(struct asking *asking, const struct fixture *like, const char *recipe,
                      int only, unsigned round, const struct change_set *a,
                      const struct change_set *b, size_t *n)
{
    struct exercise_case changed;
    bool is_apart = false, is_kept = false;
    if (asking->n_apart == MAX_APART)
        return true;
    if (!changed_case(like, recipe, only, &asking->arena, &changed, asking->reterr))
        return false;
    struct fixture *fixture = draw_next(asking, like, &changed, round);
    bool ok = fixture == NULL || differ(fixture, a, b, &is_apart, asking->reterr);
    if (is_apart) {
        ok = answer_next(asking, fixture, &is_kept);
    } else if (fixture != NULL) {
        fixture_free(fixture);
    }
    if (is_kept)
        add_apart(asking, recipe != changed_little);
    *n += is_kept;
    return ok;
}

/* The same numbers a little and much larger: explanations that give the same up to there may fail
 * at different places. */
static bool ask_apart_like(struct asking *asking, const struct fixture *like,
                           const struct change_set *a, const struct change_set *b, size_t *n)
{
    bool ok = ask_apart(asking, like, changed_little, -1, 16, a, b, n);
    for (unsigned i = 0; ok && i < like->exercise->n_arrays; i++)
        for (unsigned k = 0; ok && *n == 0 && is_float_input(like, i) && k < CHANGED_STEPS; k++)
            ok = ask_apart(asking, like, changed_steps[k], (int)i, 17 + k, a, b, n);
    return ok;
}

/* Cases like those that are there, the ones that failed first. */
static bool tell_apart(void *context, const struct change_set *a, const struct change_set *b,
                       size_t *ret_n, struct error *reterr)
{
    enum { MOST_ALIKE = 12 }; /* cases of which others are made */
    struct asking *asking = context;
    size_t n_alike = asking->n < MOST_ALIKE ? asking->n : MOST_ALIKE;
    bool ok = true;
    *ret_n = 0;
    asking->reterr = reterr;
    for (size_t i = 0; ok && i < n_alike && *ret_n == 0; i++) {
        const struct fixture *like = asking->trials[i].fixture;
        if (like->n_cells <= SMALL_CELLS)
            ok = ask_apart_like(asking, like, a, b, ret_n);
    }
    return ok;
}

/* ---- what was found, in words ---- */

static char *keep_words(struct diagnosis *diagnosis, const char *words)
{
    return words != NULL ? arena_copy(&diagnosis->words, words, strlen(words)) : NULL;
}

static char *name_of_step(struct diagnosis *diagnosis, const struct formula_step *step)
{
    return arena_copy(&diagnosis->words, step->name, step->name_size);
}

/* The words about a mistake. */
struct idea_words {
    const char *id, *when, *ask, *math, *lesson;
};

static bool add_idea(struct diagnosis *diagnosis, const struct idea_words *words,
                     const struct formula_step *step, struct error *reterr)
{
    struct misconception *idea = arena_take(&diagnosis->words, sizeof *idea);
    if (idea == NULL)
        return error_memory(reterr, "a diagnosis");
    *idea = (struct misconception){.id = keep_words(diagnosis, words->id),
                                   .when = keep_words(diagnosis, words->when),
                                   .ask = keep_words(diagnosis, words->ask),
                                   .math = keep_words(diagnosis, words->math),
                                   .lesson = keep_words(diagnosis, words->lesson),
                                   .stage = name_of_step(diagnosis, step)};
    if (idea->id == NULL || idea->when == NULL || idea->ask == NULL || idea->math == NULL ||
        idea->stage == NULL || (idea->lesson == NULL) != (words->lesson == NULL))
        return error_memory(reterr, "a diagnosis");
    diagnosis->ideas[diagnosis->n_ideas++] = idea;
    return true;
}

static bool add_change(struct diagnosis *diagnosis, const struct formula *formula,
                       const struct rewrite *change, const struct rewrite *also, size_t n_places,
                       struct error *reterr)
{
    const struct formula_step *step = &formula->steps[change->step];
    struct text when = {0};
    text_put(&when, change->when);
    if (n_places > 1)
        text_put(&when, ", in more than one place");
    if (also != NULL)
        text_format(&when, "; or when %s, which gives the same numbers", also->when);
    const struct idea_words words = {.id = change->edit->id,
                                     .when = text_string(&when),
                                     .ask = change->edit->ask,
                                     .math = change->math != NULL ? change->math : step->text,
                                     .lesson = change->edit->lesson};
    bool ok = when.failed ? error_memory(reterr, "a diagnosis")
                          : add_idea(diagnosis, &words, step, reterr);
    text_release(&when);
    return ok;
}

static bool tell(struct diagnosis *diagnosis, const struct formula *formula,
                 const struct finding *finding, struct error *reterr)
{
    const struct combination *both = finding->combination;
    if (both != NULL) {
        const struct idea_words words = {.id = both->id,
                                         .when = both->when,
                                         .ask = both->ask,
                                         .math = both->math,
                                         .lesson = both->lesson};
        return add_idea(diagnosis, &words, &formula->steps[finding->changes[finding->n - 1]->step],
                        reterr);
    }
    for (size_t i = 0; i < finding->n; i++)
        if (!add_change(diagnosis, formula, finding->changes[i], finding->also[i],
                        finding->n == 1 ? finding->n_places : 1, reterr))
            return false;
    return true;
}

/* ---- all of it ---- */

/* Does what the author foresaw hold on fresh inputs too, and show there? */
static bool holds_on_fresh(struct asking *asking, const struct diagnosis *diagnosis, bool *ret)
{
    size_t n_explained = 0, n_fresh = 0, n_silent = 0, n_telling = 0, n_breaks = 0, n_missed = 0;
    size_t first = asking->n - asking->n_fresh_trials;
    *ret = false;
    for (size_t i = 0; i < asking->n; i++) {
        bool is_fresh_failing = i >= first && i < first + asking->n_fresh_failing;
        bool is_failing = i < asking->n_failing || is_fresh_failing;
        const struct answered_case *trial = &asking->trials[i];
        struct answer answer;
        struct error error = {0};
        if (!fixture_answer_under(trial->fixture, diagnosis->ideas, diagnosis->n_ideas, &answer,
                                  &error)) {
            if (error_is_stop(&error))
                return error_set(asking->reterr, error.kind, "%s", error.text);
            n_silent += is_failing;
            continue;
        }
        bool alike = fixture_answers_alike(trial->fixture, trial->answer, &answer);
        bool bears = has_nan(trial->fixture, &answer);
        bool has_broken = has_nan(trial->fixture, trial->answer);
        bool breaks = i >= first && !bears && has_broken;
        bool near = !alike && ((i >= first && bears) || breaks || is_near(trial, &answer));
        n_telling += alike && is_failing && !is_dumb(trial, false);
        n_breaks += breaks;
        answer_release(&answer);
        if (!alike && !near && !asking->is_far[i])
            return true;
        n_missed += !alike && bears != has_broken;
        n_explained += alike && is_failing;
        n_fresh += alike && is_fresh_failing;
    }
    /* What explains nothing but NaN must not miss where it begins, and of two ideas one may. */
    asking->is_foreseen_dumb = n_telling == 0;
    *ret = n_fresh > 0 && n_explained >= n_silent &&
           (diagnosis->n_ideas > 1 ? n_missed == 0 : n_telling > 0 || n_breaks == 0);
    return true;
}

static bool find_foreseen(struct asking *asking, bool pairs, struct diagnosis *ret)
{
    const struct mistake_question *question = asking->question;
    bool holds = true;
    if (!misconception_find(question->exercise, question->answered, question->n, pairs, ret,
                            asking->reterr))
        return false;
    if (ret->n_ideas > 0 && (!ask(asking) || !holds_on_fresh(asking, ret, &holds)))
        return false;
    if (!holds)
        ret->n_ideas = 0;
    return true;
}

static bool search_edits(struct asking *asking, const struct edits *edits, size_t most_steps,
                         struct diagnosis *ret)
{
    struct subject subject = {.context = asking,
                              .n_trials = asking->n - asking->n_fresh_trials,
                              .n_failing = asking->n_failing,
                              .work_out = work_out,
                              .parts = parts,
                              .ask = ask_for_search,
                              .tell_apart = tell_apart};
    struct search search = {.n_tried = 0};
    struct finding finding = {.n = 0};
    struct formula formula;
    const struct search_options options = {.most_steps =
                                               is_small(&asking->trials[0]) ? most_steps : 0};
    bool ok =
        stage_formula_read(asking->trials[0].fixture, &asking->arena, &formula, asking->reterr) &&
        search_run(&search, edits, &formula, &subject, &options, &finding, asking->reterr) &&
        tell(ret, &formula, &finding, asking->reterr);
    asking->is_finding_whole = ok && finding.is_whole;
    search_release(&search);
    return ok;
}

/* Without the table nothing is found in it, and the verdict is the same. */
static bool find_edits(struct asking *asking, size_t most_steps, struct diagnosis *ret)
{
    const struct mistake_question *question = asking->question;
    struct edits own = {0};
    if (asking->n_failing == 0)
        return true;
    if (question->edits == NULL)
        edits_open(question->data_dir, &own, NULL);
    bool ok =
        search_edits(asking, question->edits != NULL ? question->edits : &own, most_steps, ret);
    edits_release(&own);
    return ok;
}

/* In how many trials does the idea give other numbers; and in how many of these others can't be the
 * same mistake, in another order of things? */
static bool count_contradictions(const struct asking *asking, const struct diagnosis *diagnosis,
                                 size_t *ret_n_other, size_t *ret)
{
    *ret = *ret_n_other = 0;
    for (size_t i = 0; i < asking->n; i++) {
        const struct answered_case *trial = &asking->trials[i];
        struct answer answer;
        struct error error = {0};
        if (!fixture_answer_under(trial->fixture, diagnosis->ideas, diagnosis->n_ideas, &answer,
                                  &error)) {
            if (error_is_stop(&error))
                return error_set(asking->reterr, error.kind, "%s", error.text);
            continue;
        }
        if (!fixture_answers_alike(trial->fixture, trial->answer, &answer)) {
            (*ret_n_other)++;
            *ret += !(asking->is_far[i] && bears_more(trial, &answer)) && !is_near(trial, &answer);
        }
        answer_release(&answer);
    }
    return true;
}

/* There are many causes of NaN. If the learner's answers contradict the foreseen one, the search's
 * finding takes its place; or nothing does, if the contradiction is not an accident: one product of
 * a large number may overflow without any mistake. */
static bool find_better_than_nan(struct asking *asking, struct diagnosis *ret)
{
    enum { NO_ACCIDENT = 2 };
    struct diagnosis other = {.n_ideas = 0};
    size_t n = 0, n_other = 0;
    if (ret->n_ideas == 0 || !asking->is_foreseen_dumb)
        return true;
    bool ok = find_edits(asking, 0, &other) && count_contradictions(asking, ret, &n_other, &n);
    bool has_better = other.n_ideas > 0 && (n > 0 || (n_other > 0 && asking->is_finding_whole));
    if (ok && (has_better || n >= NO_ACCIDENT)) {
        struct diagnosis foreseen = *ret;
        *ret = other;
        other = foreseen;
    }
    diagnosis_release(&other);
    return ok;
}

/* Two things that the author foresaw, unless one change gives the same: one reason is likelier. */
static bool find_foreseen_pair(struct asking *asking, struct diagnosis *ret)
{
    struct diagnosis pair = {.n_ideas = 0};
    bool ok =
        find_foreseen(asking, true, &pair) && (pair.n_ideas == 0 || find_edits(asking, 0, ret));
    if (ok && ret->n_ideas == 0) {
        memcpy(ret->ideas, pair.ideas, sizeof ret->ideas);
        ret->n_ideas = pair.n_ideas;
    }
    diagnosis_release(&pair);
    return ok;
}

static void asking_release(struct asking *asking)
{
    for (size_t i = 0; i < asking->n_fresh; i++) {
        case_run_release(&asking->fresh[i].run);
        fixture_free(asking->fresh[i].fixture);
    }
    free(asking->trials);
    free(asking->is_far);
    arena_release(&asking->arena);
}

bool find_mistake(const struct mistake_question *question, struct diagnosis *ret,
                  struct error *reterr)
{
    struct asking *asking = calloc(1, sizeof *asking);
    if (asking == NULL)
        return error_memory(reterr, "a diagnosis");
    asking->question = question;
    asking->reterr = reterr;
    bool ok = take_trials(asking) && find_foreseen(asking, false, ret) &&
              find_better_than_nan(asking, ret) &&
              (ret->n_ideas > 0 || find_foreseen_pair(asking, ret)) &&
              (ret->n_ideas > 0 || find_edits(asking, question->most_steps, ret));
    asking_release(asking);
    free(asking);
    return ok;
}
