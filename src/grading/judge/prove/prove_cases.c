/* Do the cases of an exercise see every mistake? See prove.h, and docs/exercises.md for the rules.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "judge/prove/prove_internal.h"
#include "judge/run/case_runner.h"
#include "judge/why/stage_formula.h"
#include "tensor/tensor.h"

/* ---- faults ---- */

void prove_fault(struct prove_report *report, const char *where, const char *format, ...)
{
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    doc_line(report->doc, STYLE_BAD, "%s: %s", where, text);
    report->n_faults++;
}

/* The same for a misconception: "FILE:LINE: misconception ID: WHAT". */
static void prove_idea_fault(const struct exercise *exercise, const struct misconception *idea,
                             struct prove_report *report, const char *what)
{
    char where[600];
    snprintf(where, sizeof where, "%.500s:%u", exercise->path, idea->line);
    prove_fault(report, where, "misconception %s: %s", idea->id, what);
}

/* ---- the rules for cases ----
 *
 * Each rule is a question to one case, and one case that answers yes is enough. */

enum {
    /* exp() overflows above 88.7 in float, above 709.7 in double */
    LARGE_FOR_FLOAT = 90,
    LARGE_FOR_DOUBLE = 710,
    /* logits so far apart that the smaller one's weight is nothing beside the other's */
    FAR_APART = 80,
    /* and so far that its exponential is 0 even in double */
    TOO_FAR_FOR_DOUBLE = 760,
    /* more keys than any block that a learner's loop takes at a time */
    BEYOND_A_BLOCK = 128,
};

typedef bool question(const struct fixture *fixture, const void *about);

static bool some(const struct fixtures *cases, question *ask, const void *about)
{
    for (size_t i = 0; i < cases->n; i++)
        if (ask(cases->items[i], about))
            return true;
    return false;
}

/* ---- the rules: sizes ---- */

static bool is_size(const struct fixture *fixture, unsigned param)
{
    return fixture->exercise->prototype.params[param].kind == PARAM_SIZE;
}

/* Does the case say that this size is another one, as in `mask_batch: batch`? */
static bool is_another(const struct fixture *fixture, unsigned param)
{
    const struct prototype *prototype = &fixture->exercise->prototype;
    const struct exercise_sizes *sizes = &fixture->source->sizes;
    for (unsigned i = 0; i < sizes->n; i++)
        if (strcmp(sizes->items[i].name, prototype->params[param].name) == 0)
            return prototype_param(prototype, sizes->items[i].value,
                                   strlen(sizes->items[i].value)) >= 0;
    return false;
}

static bool sizes_all_differ(const struct fixture *fixture, const void *about)
{
    const double *sizes = fixture->scalars;
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->prototype.n_params; i++) {
        if (is_size(fixture, i) && sizes[i] < 2)
            return false;
        for (unsigned j = 0; j < i; j++)
            if (is_size(fixture, i) && is_size(fixture, j) && sizes[i] == sizes[j] &&
                !is_another(fixture, i) && !is_another(fixture, j))
                return false;
    }
    return true;
}

static bool size_is_one(const struct fixture *fixture, const void *about)
{
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->prototype.n_params; i++)
        if (is_size(fixture, i) && fixture->scalars[i] == 1)
            return true;
    return false;
}

/* Blocks of 8 with something left over. */
static bool size_leaves_rest(const struct fixture *fixture, const void *about)
{
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->prototype.n_params; i++)
        if (is_size(fixture, i) && fixture->scalars[i] > 8 && fmod(fixture->scalars[i], 8) != 0)
            return true;
    return false;
}

/* ---- the rules: inputs ---- */

static bool inputs_all_differ(const struct fixture *fixture, const void *about)
{
    (void)about;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (unsigned j = 0; j < i; j++) {
            const struct fixture_array *a = &fixture->arrays[i], *b = &fixture->arrays[j];
            if (a->before != NULL && a->n_cells > 1 && b->before != NULL && b->n_cells > 1 &&
                a->n_bytes == b->n_bytes && memcmp(a->before, b->before, a->n_bytes) == 0)
                return false;
        }
    return true;
}

/* about: the index of an array of bool */
static bool has_false_row(const struct fixture *fixture, const void *about)
{
    const struct fixture_array *array = &fixture->arrays[*(const unsigned *)about];
    if (array->before == NULL || array->n_axes == 0 || array->shape[array->n_axes - 1] == 0)
        return false;
    size_t n_cols = array->shape[array->n_axes - 1];
    for (size_t row = 0; row < array->n_cells; row += n_cols)
        if (memchr((const char *)array->before + row, 1, n_cols) == NULL)
            return true;
    return false;
}

/* ---- the rules: scores ---- */

static const struct tensor *find_tensor(const struct fixture *fixture, const char *name)
{
    const struct value *value = names_get(&fixture->session->names, name, strlen(name));
    return value != NULL && value->kind == VALUE_NODE ? &value->as.node->value : NULL;
}

/* What goes into the softmax, as far as names tell. */
static const struct tensor *find_logits(const struct fixture *fixture)
{
    static const char *const names[] = {"masked", "scaled", "scores"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (find_tensor(fixture, names[i]) != NULL)
            return find_tensor(fixture, names[i]);
    return NULL;
}

static bool has_logits(const struct fixture *fixture, const void *about)
{
    (void)about;
    return find_logits(fixture) != NULL;
}

/* What a row of logits should hold. */
struct wanted_row {
    double above; /* a logit above this */
    double apart; /* and another so far below that one */
};

/* about: a struct wanted_row */
static bool has_row(const struct fixture *fixture, const void *about)
{
    const struct wanted_row *wanted = about;
    const struct tensor *logits = find_logits(fixture);
    size_t n_cols = logits != NULL && logits->n_axes > 0 ? logits->shape[logits->n_axes - 1] : 0;
    for (size_t row = 0; n_cols > 0 && row < tensor_size(logits); row += n_cols) {
        double low = (double)INFINITY, high = -(double)INFINITY; /* of the finite logits */
        for (size_t i = row; i < row + n_cols; i++) {
            double value = (double)tensor_at_position(logits, i);
            if (isfinite(value)) {
                high = fmax(high, value);
                low = fmin(low, value);
            }
        }
        if (high > wanted->above && high - low >= wanted->apart)
            return true;
    }
    return false;
}

/* The largest of the logits at positions [begin, end): all of them if masked is NULL, else the
 * hidden or the visible ones by masked, which holds -INFINITY for hidden. -INFINITY for none. */
static double largest(const struct tensor *logits, const struct tensor *masked, bool of_hidden,
                      size_t begin, size_t end)
{
    double top = -(double)INFINITY;
    for (size_t i = begin; i < end; i++)
        if (masked == NULL || isfinite(tensor_at_position(masked, i)) != of_hidden)
            top = fmax(top, (double)tensor_at_position(logits, i));
    return top;
}

/* The logits before the mask, where there is one: what `masked` is made from. */
static const struct tensor *find_unmasked(const struct fixture *fixture,
                                          const struct tensor **ret_masked)
{
    const struct tensor *masked = find_tensor(fixture, "masked");
    const struct tensor *scaled = find_tensor(fixture, "scaled");
    const struct tensor *before = scaled != NULL ? scaled : find_tensor(fixture, "scores");
    *ret_masked = masked;
    return masked != NULL && before != NULL && tensor_same_shape(masked, before) ? before : NULL;
}

/* A hidden score so far above all visible ones of its row that a maximum over both leaves 0 / 0. */
static bool has_large_hidden(const struct fixture *fixture, const void *about)
{
    const struct tensor *masked, *before = find_unmasked(fixture, &masked);
    size_t n_cols = before != NULL && before->n_axes > 0 ? before->shape[before->n_axes - 1] : 0;
    (void)about;
    for (size_t row = 0; n_cols > 0 && row < tensor_size(before); row += n_cols) {
        double seen = largest(before, masked, false, row, row + n_cols);
        if (isfinite(seen) &&
            largest(before, masked, true, row, row + n_cols) - seen >= TOO_FAR_FOR_DOUBLE)
            return true;
    }
    return false;
}

static bool hides_scores(const struct fixture *fixture, const void *about)
{
    const struct tensor *masked, *before = find_unmasked(fixture, &masked);
    (void)about;
    for (size_t i = 0; before != NULL && i < tensor_size(before); i++)
        if (!isfinite(tensor_at_position(masked, i)))
            return true;
    return false;
}

/* A row in which the first score lies far above (about: 1) or far below (-1) all those that come
 * more than a block later. */
static bool has_far_block(const struct fixture *fixture, const void *about)
{
    const struct tensor *logits = find_logits(fixture);
    size_t n_cols = logits != NULL && logits->n_axes > 0 ? logits->shape[logits->n_axes - 1] : 0;
    for (size_t row = 0; n_cols > BEYOND_A_BLOCK && row < tensor_size(logits); row += n_cols) {
        double begin = largest(logits, NULL, false, row, row + BEYOND_A_BLOCK);
        double end = largest(logits, NULL, false, row + BEYOND_A_BLOCK, row + n_cols);
        if (isfinite(begin) && isfinite(end) &&
            *(const int *)about * (begin - end) >= TOO_FAR_FOR_DOUBLE)
            return true;
    }
    return false;
}

static bool has_zero_score(const struct fixture *fixture, const void *about)
{
    const struct tensor *scores = find_tensor(fixture, "scores");
    const struct tensor *masked = find_tensor(fixture, "masked");
    bool same = scores != NULL && masked != NULL && tensor_same_shape(scores, masked);
    (void)about;
    for (size_t i = 0; scores != NULL && i < tensor_size(scores); i++)
        if (tensor_at_position(scores, i) == 0 &&
            (!same || isfinite(tensor_at_position(masked, i))))
            return true;
    return false;
}

static bool has_scores(const struct fixture *fixture, const void *about)
{
    (void)about;
    return find_tensor(fixture, "scores") != NULL;
}

static bool stages_call(const struct exercise *exercise, const char *function)
{
    for (unsigned i = 0; i < exercise->stages.n; i++)
        if (strstr(exercise->stages.items[i], function) != NULL)
            return true;
    return false;
}

/* ---- the rules: all ---- */

static void prove_sizes(const struct exercise *exercise, const struct fixtures *cases,
                        struct prove_report *report)
{
    if (!some(cases, sizes_all_differ, NULL))
        prove_fault(report, exercise->path,
                    "there is no case in which all sizes are above 1 and different; exchanged "
                    "sizes would go unseen");
    if (!some(cases, size_is_one, NULL))
        prove_fault(report, exercise->path, "there is no case with a size of 1");
    if (!some(cases, size_leaves_rest, NULL))
        prove_fault(
            report, exercise->path,
            "there is no case with a size above 8 that is not a multiple of 8; code that works "
            "in blocks would go unseen");
    if (!some(cases, inputs_all_differ, NULL))
        prove_fault(
            report, exercise->path,
            "there is no case in which all inputs differ; exchanged inputs would go unseen");
}

static void prove_masks(const struct exercise *exercise, const struct fixtures *cases,
                        struct prove_report *report)
{
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        const char *name = exercise->arrays[i].name;
        int param = prototype_param(&exercise->prototype, name, strlen(name));
        if (param >= 0 && exercise->prototype.params[param].kind == PARAM_BOOLS &&
            !some(cases, has_false_row, &i))
            prove_fault(report, exercise->path,
                        "there is no case in which a whole row of %s is False", name);
    }
}

static void prove_scores(const struct exercise *exercise, const struct fixtures *cases,
                         struct prove_report *report)
{
    if (some(cases, has_scores, NULL) && !some(cases, has_zero_score, NULL))
        prove_fault(report, exercise->path,
                    "there is no case in which an allowed score is exactly 0");
    bool has_maximum = stages_call(exercise, "softmax(") || stages_call(exercise, "max(");
    if ((!has_maximum && !stages_call(exercise, "exp(")) || !some(cases, has_logits, NULL))
        return;
    if (!some(cases, has_row, &(struct wanted_row){LARGE_FOR_FLOAT, FAR_APART}))
        prove_fault(report, exercise->path,
                    "there is no case with a row in which one score is above %d, where expf() "
                    "overflows, and another %d below it",
                    LARGE_FOR_FLOAT, FAR_APART);
    if (!some(cases, has_row, &(struct wanted_row){LARGE_FOR_DOUBLE, 0}))
        prove_fault(report, exercise->path,
                    "there is no case with a score above %d, where exp() overflows even in double",
                    LARGE_FOR_DOUBLE);
    if (some(cases, hides_scores, NULL) && !some(cases, has_large_hidden, NULL))
        prove_fault(report, exercise->path,
                    "there is no case with a hidden score at least %d above all visible ones of "
                    "its row; a maximum taken over hidden keys would go unseen",
                    TOO_FAR_FOR_DOUBLE);
    for (int side = -1; has_maximum && side <= 1; side += 2)
        if (!some(cases, has_far_block, &side))
            prove_fault(report, exercise->path,
                        "there is no case with a row of more than %d scores that %s by at least "
                        "%d after the first %d; a maximum kept from block to block would go unseen",
                        BEYOND_A_BLOCK, side < 0 ? "rise" : "fall", TOO_FAR_FOR_DOUBLE,
                        BEYOND_A_BLOCK);
}

/* The rules of docs/exercises.md for the cases taken together. */
static void prove_cases(const struct exercise *exercise, const struct fixtures *cases,
                        struct prove_report *report)
{
    prove_sizes(exercise, cases, report);
    prove_masks(exercise, cases, report);
    prove_scores(exercise, cases, report);
}

/* ---- what cases tell apart ---- */

/* What each misconception answers in each case. */
struct answer_table {
    const struct exercise *exercise;
    const struct fixtures *cases;
    struct answer *answers; /* [misconception * cases->n + case] */
    bool *applies;          /* the same; false: it says nothing there */
};

static bool table_init(struct answer_table *table, const struct exercise *exercise,
                       const struct fixtures *cases, struct error *reterr)
{
    size_t n = exercise->n_misconceptions * cases->n + 1;
    *table = (struct answer_table){.exercise = exercise, .cases = cases};
    table->answers = calloc(n, sizeof *table->answers);
    table->applies = calloc(n, sizeof *table->applies);
    return (table->answers != NULL && table->applies != NULL) || error_memory(reterr, "a proof");
}

static void table_release(struct answer_table *table)
{
    size_t n = table->exercise->n_misconceptions * table->cases->n;
    for (size_t i = 0; table->answers != NULL && i < n; i++)
        answer_release(&table->answers[i]);
    free(table->answers);
    free(table->applies);
}

/* Fills one row of the table. False is our own failure. */
static bool answer_cases(struct answer_table *table, unsigned row, struct prove_report *report,
                         struct error *reterr)
{
    const struct misconception *idea = &table->exercise->misconceptions[row];
    for (size_t i = 0; i < table->cases->n; i++) {
        size_t at = row * table->cases->n + i;
        struct error error = {0};
        table->applies[at] =
            fixture_answer_under(table->cases->items[i], &idea, 1, &table->answers[at], &error);
        if (table->applies[at] || idea_says_nothing(&error))
            continue;
        if (error.kind == ERR_MEMORY)
            return error_memory(reterr, "a proof");
        prove_idea_fault(table->exercise, idea, report, error.text);
        return true;
    }
    return true;
}

/* Is an answer of the idea far from the right one in some case? *ret_applies: does it say anything
 * at all? */
static bool differs_somewhere(const struct answer_table *table, unsigned row, bool *ret_applies,
                              bool *ret_differs, struct error *reterr)
{
    *ret_applies = *ret_differs = false;
    for (size_t i = 0; i < table->cases->n && !*ret_differs; i++) {
        size_t at = row * table->cases->n + i;
        struct answer right;
        if (!table->applies[at])
            continue;
        if (!fixture_right_answer(table->cases->items[i], &right, reterr))
            return false;
        *ret_applies = true;
        *ret_differs = fixture_answers_apart(table->cases->items[i], &table->answers[at], &right);
        answer_release(&right);
    }
    return true;
}

static bool prove_idea(struct answer_table *table, unsigned row, struct prove_report *report,
                       struct error *reterr)
{
    const struct misconception *idea = &table->exercise->misconceptions[row];
    size_t n_faults = report->n_faults;
    bool applies, differs;
    if (idea->stages.n == 0)
        return true;
    if (!answer_cases(table, row, report, reterr) ||
        !differs_somewhere(table, row, &applies, &differs, reterr))
        return false;
    if (report->n_faults > n_faults)
        return true;
    if (!applies)
        prove_idea_fault(table->exercise, idea, report, "its shapes fit in no case");
    else if (!differs)
        prove_idea_fault(table->exercise, idea, report, "it gives the right answer in every case");
    return true;
}

static bool are_apart(const struct answer_table *table, unsigned a, unsigned b)
{
    size_t n = table->cases->n;
    for (size_t i = 0; i < n; i++)
        if (table->applies[a * n + i] && table->applies[b * n + i] &&
            fixture_answers_apart(table->cases->items[i], &table->answers[a * n + i],
                                  &table->answers[b * n + i]))
            return true;
    return false;
}

static bool applies_somewhere(const struct answer_table *table, unsigned row)
{
    for (size_t i = 0; i < table->cases->n; i++)
        if (table->applies[row * table->cases->n + i])
            return true;
    return false;
}

static void prove_pairs(const struct answer_table *table, struct prove_report *report)
{
    const struct exercise *exercise = table->exercise;
    for (unsigned a = 0; a < exercise->n_misconceptions; a++)
        for (unsigned b = a + 1; b < exercise->n_misconceptions; b++) {
            char what[200];
            if (!applies_somewhere(table, a) || !applies_somewhere(table, b) ||
                are_apart(table, a, b))
                continue;
            snprintf(what, sizeof what, "no case tells it from %s", exercise->misconceptions[b].id);
            prove_idea_fault(exercise, &exercise->misconceptions[a], report, what);
        }
}

static bool prove_ideas(const struct exercise *exercise, const struct fixtures *cases,
                        struct prove_report *report, struct error *reterr)
{
    struct answer_table table;
    bool ok = table_init(&table, exercise, cases, reterr);
    for (unsigned i = 0; ok && i < exercise->n_misconceptions; i++)
        ok = prove_idea(&table, i, report, reterr);
    if (ok)
        prove_pairs(&table, report);
    table_release(&table);
    report->n_misconceptions = exercise->n_misconceptions;
    return ok;
}

/* Draws cases or probes and tries the cases; what the author got wrong in drawing is a fault. */
static bool prove_drawn(const struct exercise *exercise, uint64_t seed, bool probes,
                        const char *data_dir, struct prove_report *report, struct error *reterr)
{
    struct fixtures fixtures;
    struct error error = {0};
    if (!fixtures_draw(exercise, seed, probes, data_dir, &fixtures, &error)) {
        if (error.kind == ERR_MEMORY)
            return error_memory(reterr, "a proof");
        doc_line(report->doc, STYLE_BAD, "%s", error.text);
        report->n_faults++;
        return true;
    }
    bool ok = true;
    if (!probes) {
        prove_cases(exercise, &fixtures, report);
        ok = prove_ideas(exercise, &fixtures, report, reterr);
    }
    fixtures_release(&fixtures);
    return ok;
}

bool prove_fixtures(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                    struct prove_report *report, struct error *reterr)
{
    return prove_drawn(exercise, seed, false, data_dir, report, reterr) &&
           prove_drawn(exercise, seed, true, data_dir, report, reterr) &&
           doc_check(report->doc, reterr);
}

/* ---- mutations ----
 *
 * The cases must tell every known mistake from the right formula: each edit of assets/edits.yaml,
 * made at each place in the stages, must fail a case. */

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

/* ---- mutations: fresh cases ---- */

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

/* ---- mutations: one change ---- */

/* The index of the author's reason why no case tells a change apart; the number of reasons if the
 * author gave none for it. */
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

/* ---- mutations: all of them ---- */

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
