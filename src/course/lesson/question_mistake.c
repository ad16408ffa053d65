/* Which change of the right answer gives exactly the typed one? See src/diagnose. */
#include "course/lesson/question_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "diagnose/search.h"
#include "graph/node.h"

/* ---- in words ---- */

/* "This comes out when WHEN. ASK", as much of it as fits. */
static void tell(struct judged *judged, const char *id, const char *when,
                 const struct rewrite *also, const char *ask)
{
    size_t size = sizeof judged->note;
    snprintf(judged->mistake, sizeof judged->mistake, "%s%s%s", id, also != NULL ? "|" : "",
             also != NULL ? also->edit->id : "");
    int used = snprintf(judged->note, size, "This comes out when %s%s%s.", when,
                        also != NULL ? "; or when " : "", also != NULL ? also->when : "");
    if (used > 0 && (size_t)used + strlen(ask) + 2 < size)
        snprintf(judged->note + used, size - (size_t)used, " %s", ask);
}

/* ---- numbers and matrices: the typed answer is the only trial ---- */

struct hunt {
    const struct mistaken *mistaken;
    struct typed_number typed; /* a number, or one of a matrix */
    struct node *given;        /* a matrix; or NULL */
    size_t cell;               /* of the matrix: which of those asked for; or cells->n: all */
    struct question_formula formula;
    struct rewrites changes;
    const struct rewrite **found;
    size_t n_found;
    bool is_exact; /* those that were found give the very number, without rounding */
    struct slip slip;
};

static bool fits(const struct hunt *hunt, const struct node *node)
{
    const struct mistaken *mistaken = hunt->mistaken;
    const struct question_cells *cells = mistaken->cells;
    if (cells == NULL)
        return tensor_size(&node->value) == 1 &&
               typed_number_is(&hunt->typed, tensor_at_position(&node->value, 0));
    if (!tensor_same_shape(&node->value, &cells->answer->value))
        return false;
    size_t ignored;
    return hunt->cell == cells->n
               ? question_count_far_cells(mistaken->question, cells, hunt->given, node, true,
                                          &ignored) == 0
               : typed_number_is(&hunt->typed,
                                 tensor_at_position(&node->value, cells->positions[hunt->cell]));
}

/* A sign or a factor belongs to the answer as a whole, and an edit that needs fresh inputs would
 * fit one number by accident. */
static bool may_be(const struct hunt *hunt, const struct rewrite *change)
{
    bool is_last = change->step + 1 == hunt->formula.formula.n_steps;
    return !change->edit->only_formulas && (is_last || !change->edit->is_whole);
}

/* One number was typed: not all of a matrix. */
static bool is_number(const struct hunt *hunt)
{
    const struct question_cells *cells = hunt->mistaken->cells;
    return cells == NULL || hunt->cell < cells->n;
}

/* A number that need not be rounded is better than those that must be. */
static void keep_found(struct hunt *hunt, const struct rewrite *change, const struct node *node)
{
    const struct question_cells *cells = hunt->mistaken->cells;
    size_t position = cells != NULL && is_number(hunt) ? cells->positions[hunt->cell] : 0;
    struct typed_number computed = {.value = hunt->typed.value, .decimals = -1};
    bool is_exact =
        is_number(hunt) && typed_number_is(&computed, tensor_at_position(&node->value, position));
    if (is_exact && !hunt->is_exact)
        hunt->n_found = 0;
    hunt->is_exact = hunt->is_exact || is_exact;
    if (is_exact == hunt->is_exact)
        hunt->found[hunt->n_found++] = change;
}

/* With all cells right but one, the mistake is not in the formula: the learner forgot a product
 * there. */
static bool may_be_in_one_cell(const struct rewrite *change)
{
    static const char *const ids[] = {"sum-left-out", "only-first", "first-left-out",
                                      "last-left-out"};
    for (size_t i = 0; i < COUNT_OF(ids); i++)
        if (strcmp(change->edit->id, ids[i]) == 0)
            return true;
    return false;
}

static bool try_all(struct hunt *hunt, struct error *reterr)
{
    const struct rewrites *changes = &hunt->changes;
    hunt->n_found = 0;
    hunt->is_exact = false;
    free(hunt->found);
    hunt->found = calloc(changes->n + 1, sizeof(struct rewrite *));
    if (hunt->found == NULL)
        return error_memory(reterr, "an answer");
    for (size_t i = 0; i < changes->n; i++) {
        const struct rewrite *change = &changes->items[i];
        struct error error = {0};
        if (!may_be(hunt, change) ||
            (hunt->given != NULL && is_number(hunt) && !may_be_in_one_cell(change)))
            continue;
        struct node *node = question_formula_node(&hunt->formula, hunt->mistaken->sessions->lesson,
                                                  NULL, &change, 1, &error);
        if (node == NULL && error_is_stop(&error))
            return error_set(reterr, error.kind, "%s", error.text);
        if (node != NULL && fits(hunt, node))
            keep_found(hunt, change, node);
        node_free(node);
    }
    return true;
}

/* ---- which of those that fit? ---- */

/* Is it this cell that was typed, or all? */
static bool is_asked(const struct hunt *hunt, size_t position)
{
    const struct question_cells *cells = hunt->mistaken->cells;
    return cells == NULL || hunt->cell == cells->n || cells->positions[hunt->cell] == position;
}

/* Do both give the same result for the asked cells? NULL gives no result. */
static bool are_same(const struct hunt *hunt, const struct node *one, const struct node *other)
{
    bool same = one != NULL && other != NULL && tensor_same_shape(&one->value, &other->value);
    for (size_t i = 0; same && i < tensor_size(&one->value); i++)
        if (is_asked(hunt, i))
            same = number_is_near(tensor_at_position(&one->value, i),
                                  tensor_at_position(&other->value, i), 1e-5);
    return same;
}

/* Do both give the same when all numbers are a little different? */
static bool are_same_in_general(const struct hunt *hunt, const struct rewrite *a,
                                const struct rewrite *b, bool *ret, struct error *reterr)
{
    struct session *session = hunt->mistaken->sessions->lesson;
    struct error error = {0}, other_error = {0};
    struct node *one = question_formula_moved(&hunt->formula, session, a, &error);
    struct node *other = question_formula_moved(&hunt->formula, session, b, &other_error);
    *ret = are_same(hunt, one, other);
    if (one != NULL)
        error = other_error;
    bool ok = (one != NULL && other != NULL) || !error_is_stop(&error) ||
              error_set(reterr, error.kind, "%s", error.text);
    node_free(one);
    node_free(other);
    return ok;
}

/* Are the words the same, but for brackets? */
static bool are_same_words(const char *a, const char *b)
{
    static const char ignored[] = " ()";
    for (;; a++, b++) {
        a += strspn(a, ignored);
        b += strspn(b, ignored);
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

/* Digits that say something: 0.05 and 3.0 have one of them. */
static unsigned count_digits(const struct typed_number *typed)
{
    char digits[40];
    unsigned n = 0, n_zeros = 0;
    snprintf(digits, sizeof digits, "%.*f", typed->decimals < 0 ? 6 : typed->decimals,
             fabs((double)typed->value));
    bool is_fraction = false;
    for (const char *at = digits; *at != '\0'; at++) {
        is_fraction = is_fraction || *at == '.';
        if (*at == '.' || (*at == '0' && n == 0))
            continue;
        n_zeros = *at == '0' && is_fraction ? n_zeros + 1 : 0;
        n++;
    }
    return n - n_zeros;
}

/* A match that says little may be an accident: then only a likely change counts, and only if no
 * other fits. */
static bool says_little(const struct hunt *hunt)
{
    return is_number(hunt) && count_digits(&hunt->typed) < 2;
}

/* 0, 1 and -1 come out of nearly anything. */
static bool is_trivial(const struct typed_number *typed)
{
    return typed->value == 0 || fabsf(typed->value) == 1;
}

/* The expression has become a number of the question. */
static bool is_bare_number(const struct rewrite *change)
{
    const char *value = strchr(change->statement, '=');
    return value != NULL && value[1 + strspn(value + 1, " -+.()0123456789")] == '\0';
}

/* Is it enough to name the change for? */
static bool is_enough(const struct hunt *hunt, const struct rewrite *change)
{
    unsigned how_likely = change->edit->in_numbers;
    if (!is_number(hunt))
        return true;
    return how_likely >=
               (says_little(hunt) || hunt->slip.n_cells > 1 ? EDIT_LIKELY : EDIT_REMOTE) &&
           !is_bare_number(change) && !is_trivial(&hunt->typed);
}

/* Tells the most likely one, unless others are as likely that are something else. */
static bool choose(const struct hunt *hunt, struct judged *judged, struct error *reterr)
{
    const struct rewrite *best = NULL, *also = NULL;
    for (size_t i = 0; i < hunt->n_found; i++)
        if (best == NULL || hunt->found[i]->edit->in_numbers > best->edit->in_numbers)
            best = hunt->found[i];
    if (hunt->slip.id != NULL && (best == NULL || best->edit->in_numbers < EDIT_LIKELY))
        tell(judged, hunt->slip.id, hunt->slip.when, NULL, hunt->slip.ask);
    if (best == NULL || hunt->slip.id != NULL || !is_enough(hunt, best))
        return true;
    unsigned beside = says_little(hunt) ? EDIT_POSSIBLE : best->edit->in_numbers;
    for (size_t i = 0; i < hunt->n_found; i++) {
        const struct rewrite *other = hunt->found[i];
        bool same;
        if (strcmp(other->edit->id, best->edit->id) == 0 || other->edit->in_numbers < beside ||
            are_same_words(other->statement, best->statement))
            continue;
        if (!are_same_in_general(hunt, best, other, &same, reterr))
            return false;
        if (!same)
            return true;
        if (also == NULL)
            also = other;
    }
    tell(judged, best->edit->id, best->when, also, best->edit->ask);
    return true;
}

static void hunt_release(struct hunt *hunt)
{
    node_free(hunt->given);
    free(hunt->found);
    rewrites_release(&hunt->changes);
    question_formula_release(&hunt->formula);
}

/* ---- one number ---- */

/* Reads the typed number again. */
static bool read_number(struct hunt *hunt, struct error *reterr)
{
    const struct mistaken *mistaken = hunt->mistaken;
    const struct question_cells *cells = mistaken->cells;
    float right;
    if (cells != NULL)
        right = tensor_at_position(&cells->answer->value, cells->positions[mistaken->cell]);
    else if (!answer_peek_number(mistaken->sessions->lesson, mistaken->question->answer.text,
                                 &right, reterr))
        return false;
    if (!answer_peek_typed(mistaken->sessions->learner, mistaken->typed, &hunt->typed, reterr))
        return false;
    typed_number_settle_percent(&hunt->typed, mistaken->question, right);
    return true;
}

static bool find_in_number(struct hunt *hunt, struct judged *judged, struct error *reterr)
{
    const struct mistaken *mistaken = hunt->mistaken;
    const struct question_cells *cells = mistaken->cells;
    if (!read_number(hunt, reterr) || !try_all(hunt, reterr))
        return false;
    bool ok = cells != NULL
                  ? slip_in_cell(cells->answer, cells->positions[hunt->cell], &hunt->typed,
                                 &hunt->slip, reterr)
                  : slip_in_index(mistaken->sessions->lesson, mistaken->question->answer.text,
                                  hunt->formula.answer, &hunt->typed, &hunt->slip, reterr);
    return ok && choose(hunt, judged, reterr);
}

/* ---- a matrix ---- */

static bool find_in_matrix(struct hunt *hunt, struct judged *judged, struct error *reterr)
{
    const struct mistaken *mistaken = hunt->mistaken;
    const struct question_cells *cells = mistaken->cells;
    size_t first = 0;
    hunt->given = answer_peek(mistaken->sessions->learner, NULL, mistaken->typed, reterr);
    if (hunt->given == NULL)
        return false;
    size_t n_wrong = slip_in_matrix(mistaken->question, cells, hunt->given, &first, &hunt->slip);
    if (hunt->slip.id != NULL) {
        tell(judged, hunt->slip.id, hunt->slip.when, NULL, hunt->slip.ask);
        return true;
    }
    if (n_wrong != 1)
        return try_all(hunt, reterr) && choose(hunt, judged, reterr);
    hunt->cell = first; /* one cell alone is wrong: like a number */
    hunt->typed = (struct typed_number){
        .value = tensor_at_position(&hunt->given->value, cells->positions[first]), .decimals = -1};
    return try_all(hunt, reterr) &&
           slip_in_cell(cells->answer, cells->positions[first], &hunt->typed, &hunt->slip,
                        reterr) &&
           choose(hunt, judged, reterr);
}

static bool find_in_numbers(const struct mistaken *mistaken, const struct edits *edits,
                            struct judged *judged, struct error *reterr)
{
    struct hunt hunt = {.mistaken = mistaken, .cell = mistaken->cell};
    bool ok = question_formula_read(mistaken->question, mistaken->sessions->lesson, NULL,
                                    &hunt.formula, reterr);
    for (size_t i = hunt.formula.formula.n_steps; ok && i-- > 0;)
        ok = rewrites_add(edits, &hunt.formula.formula, i, &hunt.changes, reterr);
    bool is_whole = mistaken->cells != NULL && mistaken->cell == mistaken->cells->n;
    ok = ok && (is_whole ? find_in_matrix : find_in_number)(&hunt, judged, reterr);
    hunt_release(&hunt);
    return ok;
}

/* ---- formulas: fresh inputs are the trials ---- */

enum {
    FIRST_TRIALS = FORMULA_TRIALS,
    ALL_TRIALS = 8,
};

struct formula_hunt {
    const struct mistaken *mistaken;
    struct question_formula formula;
    struct trial {
        char *lines;
        struct node *given;
        bool is_wrong;
    } trials[ALL_TRIALS]; /* the wrong ones first, among the first and among the fresh */
    size_t n, n_failing;
    struct error *reterr;
};

static uint64_t numbers_digest(const struct tensor *x)
{
    uint64_t digest = SEARCH_DIGEST;
    for (size_t i = 0; i < tensor_size(x); i++)
        digest = search_digest(digest, tensor_at_position(x, i));
    return digest;
}

static bool work_out(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                     struct trial_outcome *ret, struct error *reterr)
{
    struct formula_hunt *hunt = context;
    const struct tensor *given = &hunt->trials[trial].given->value;
    struct error error = {0};
    struct node *node = question_formula_node(&hunt->formula, hunt->mistaken->sessions->lesson,
                                              hunt->trials[trial].lines, changes, n, &error);
    if (node == NULL) {
        ret->says_nothing = true;
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    }
    ret->agrees = numbers_are_near(&node->value, given, question_within(hunt->mistaken->question));
    ret->is_dumb = ret->agrees && tensor_size(given) > 0 && isnan(tensor_at_position(given, 0));
    ret->digest = numbers_digest(&node->value);
    node_free(node);
    return true;
}

/* Draws the inputs of trials first to end, and computes the typed formula on them. */
static bool draw_trials(struct formula_hunt *hunt, unsigned first, unsigned end, size_t *ret_n,
                        size_t *ret_n_failing)
{
    const struct mistaken *mistaken = hunt->mistaken;
    size_t begin = hunt->n, n_failing = 0;
    for (unsigned i = first; i < end; i++) {
        struct text lines = {0};
        struct error error = {0};
        struct node *given = NULL, *right = NULL;
        if (question_trial_lines(mistaken->question, i, &lines, hunt->reterr))
            given = answer_peek(mistaken->sessions->learner, text_string(&lines), mistaken->typed,
                                &error);
        if (given != NULL)
            right = answer_peek(mistaken->sessions->lesson, text_string(&lines),
                                mistaken->question->answer.text, &error);
        char *copy = right != NULL
                         ? arena_copy(&hunt->formula.arena, text_string(&lines), lines.size)
                         : NULL;
        text_release(&lines);
        if (copy == NULL) {
            node_free(given);
            node_free(right);
            if (error_is_stop(&error))
                return error_set(hunt->reterr, error.kind, "%s", error.text);
            continue;
        }
        struct trial trial = {
            copy, given,
            !numbers_are_near(&given->value, &right->value, question_within(mistaken->question))};
        node_free(right);
        hunt->trials[hunt->n] = trial;
        if (trial.is_wrong) {
            hunt->trials[hunt->n] = hunt->trials[begin + n_failing];
            hunt->trials[begin + n_failing++] = trial;
        }
        hunt->n++;
    }
    *ret_n = hunt->n - begin;
    *ret_n_failing = n_failing;
    return true;
}

static bool ask(void *context, size_t *ret_n, size_t *ret_n_failing, struct error *reterr)
{
    struct formula_hunt *hunt = context;
    hunt->reterr = reterr;
    return draw_trials(hunt, FIRST_TRIALS, ALL_TRIALS, ret_n, ret_n_failing);
}

/* Fresh inputs have some properties in common, such as their shapes: the change must fit the
 * lesson's own values too, if both formulas can be computed there. */
static bool holds_in_lesson(struct formula_hunt *hunt, const struct rewrite *change, bool *ret)
{
    struct session *session = hunt->mistaken->sessions->lesson;
    struct error error = {0};
    struct node *node = question_formula_node(&hunt->formula, session, NULL, &change, 1, &error);
    struct node *given =
        node != NULL ? answer_peek(session, NULL, hunt->mistaken->typed, &error) : NULL;
    *ret = given == NULL ||
           numbers_are_near(&given->value, &node->value, question_within(hunt->mistaken->question));
    bool ok = given != NULL || !error_is_stop(&error) ||
              error_set(hunt->reterr, error.kind, "%s", error.text);
    node_free(given);
    node_free(node);
    return ok;
}

static bool search(struct formula_hunt *hunt, const struct edits *edits, struct judged *judged)
{
    struct subject subject = {.context = hunt,
                              .n_trials = hunt->n,
                              .n_failing = hunt->n_failing,
                              .work_out = work_out,
                              .ask = ask};
    /* Pairs of changes that fit are mostly not the real mistake. */
    const struct search_options options = {.most_steps = 0};
    struct search search = {.n_tried = 0};
    struct finding finding;
    bool ok = search_run(&search, edits, &hunt->formula.formula, &subject, &options, &finding,
                         hunt->reterr);
    bool holds = false;
    if (ok && finding.n == 1)
        ok = holds_in_lesson(hunt, finding.changes[0], &holds);
    const struct rewrite *change = holds ? finding.changes[0] : NULL, *also = finding.also[0];
    if (holds && also != NULL && are_same_words(also->statement, change->statement))
        also = NULL;
    if (ok && holds)
        tell(judged, change->edit->id, change->when, also, change->edit->ask);
    search_release(&search);
    return ok;
}

static bool find_in_formula(const struct mistaken *mistaken, const struct edits *edits,
                            struct judged *judged, struct error *reterr)
{
    struct formula_hunt hunt = {.mistaken = mistaken, .reterr = reterr};
    struct text lines = {0};
    size_t n;
    bool ok = question_trial_lines(mistaken->question, 0, &lines, reterr) &&
              question_formula_read(mistaken->question, mistaken->sessions->lesson,
                                    text_string(&lines), &hunt.formula, reterr) &&
              draw_trials(&hunt, 0, FIRST_TRIALS, &n, &hunt.n_failing);
    ok = ok && (hunt.n_failing == 0 || search(&hunt, edits, judged));
    for (size_t i = 0; i < hunt.n; i++)
        node_free(hunt.trials[i].given);
    question_formula_release(&hunt.formula);
    text_release(&lines);
    return ok;
}

bool question_name_mistake(const struct mistaken *mistaken, struct judged *judged,
                           struct error *reterr)
{
    const struct edits *edits = mistaken->sessions->edits;
    if (edits == NULL || edits->n == 0 || judged->right || judged->is_unfinished ||
        judged->foreseen != NULL)
        return true;
    return mistaken->question->kind == QUESTION_FORMULA
               ? find_in_formula(mistaken, edits, judged, reterr)
               : find_in_numbers(mistaken, edits, judged, reterr);
}
