/* See question.h. */
#include "course/lesson/question.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/prose_values.h"
#include "graph/node.h"
#include "lang/value/literal.h"
#include "tensor/tensor.h"

enum {
    CHOICES_MAX = 64,
    CELLS_MAX = 64,          /* a bit each in what is remembered */
    FIRST_TRIAL_SEED = 1001, /* one that a lesson is not likely to use itself */
};

/* ---- numbers ---- */

static double within_of(const struct question *question)
{
    if (question->within > 0)
        return question->within;
    return question->kind == QUESTION_FORMULA ? FORMULA_WITHIN : QUESTION_WITHIN;
}

/* What is right up to the last digit that was asked for must not fail by the last bit of a float.
 */
static bool is_near(float given, float right, double within)
{
    if (isnan(given) || isnan(right))
        return isnan(given) && isnan(right);
    if (isinf(given) || isinf(right))
        return given == right;
    double scale = fmax(1, fabs((double)right));
    return fabs((double)given - (double)right) <= within * scale * 1.001;
}

/* How many numbers of a differ from b's, which has the same shape; *ret_first is the first. */
static size_t count_far(const struct tensor *a, const struct tensor *b, double within,
                        size_t *ret_first)
{
    size_t n = 0;
    for (size_t i = tensor_size(a); i-- > 0;)
        if (!is_near(tensor_at_position(a, i), tensor_at_position(b, i), within)) {
            *ret_first = i;
            n++;
        }
    return n;
}

static bool same_numbers(const struct tensor *a, const struct tensor *b, double within)
{
    size_t first;
    return tensor_same_shape(a, b) && count_far(a, b, within, &first) == 0;
}

/* The tensor that an expression gives after lines (or NULL), or NULL. */
static struct node *peek_node(struct session *session, const char *lines, const char *expression,
                              struct error *reterr)
{
    struct value value;
    if (!session_peek(session, lines, expression, &value, reterr))
        return NULL;
    struct node *node = value_to_node(&session->graph, &value, "an answer", reterr);
    value_release(&value);
    return node;
}

static struct node *peek_number(struct session *session, const char *expression,
                                struct error *reterr)
{
    char shape[TENSOR_SHAPE_TEXT];
    struct node *node = peek_node(session, NULL, expression, reterr);
    if (node == NULL || tensor_size(&node->value) == 1)
        return node;
    error_set(reterr, ERR_SHAPE, "a single number is asked for here, and this is a tensor of %s",
              tensor_shape_text(&node->value, shape));
    node_free(node);
    return NULL;
}

static float first_number(const struct node *node)
{
    return tensor_at_position(&node->value, 0);
}

/* Decimals of a number as typed, or -1 for what is not a number. */
static int decimals_of(const char *typed)
{
    const char *at = typed + strspn(typed, " \t-+");
    size_t whole = strspn(at, "0123456789");
    at += whole;
    size_t decimals = *at == '.' ? strspn(at + 1, "0123456789") : 0;
    at += *at == '.' ? decimals + 1 : 0;
    at += strspn(at, " \t\r\n");
    return whole + decimals > 0 && *at == '\0' ? (int)decimals : -1;
}

/* Says so when a number is right as far as it goes, and says something: 0 for 0.12 does not. */
static void note_rounding(const char *typed, float given, float right, struct judged *judged)
{
    int decimals = decimals_of(typed);
    if (decimals < 1 || !isfinite(right))
        return;
    double half = 0.5 * pow(10, -decimals) * 1.001;
    judged->is_unfinished =
        2 * half <= fabs((double)right) && fabs((double)given - (double)right) <= half;
    if (judged->is_unfinished)
        snprintf(judged->note, sizeof judged->note,
                 "That is right as far as it goes. Give some more digits.");
}

static bool judge_number(const struct question *question, const struct question_sessions *sessions,
                         const char *typed, struct judged *judged, struct error *reterr)
{
    struct node *given = peek_number(sessions->learner, typed, reterr);
    struct node *right =
        given != NULL ? peek_number(sessions->lesson, question->answer.text, reterr) : NULL;
    bool ok = right != NULL;
    double within = within_of(question);
    judged->right = ok && is_near(first_number(given), first_number(right), within);
    for (size_t i = 0; ok && !judged->right && judged->foreseen == NULL && i < question->n_wrong;
         i++) {
        struct node *wrong = peek_number(sessions->lesson, question->wrong[i].is.text, reterr);
        ok = wrong != NULL;
        if (ok && is_near(first_number(given), first_number(wrong), within))
            judged->foreseen = &question->wrong[i];
        node_free(wrong);
    }
    if (ok && !judged->right && judged->foreseen == NULL)
        note_rounding(typed, first_number(given), first_number(right), judged);
    node_free(given);
    node_free(right);
    return ok;
}

/* ---- options ---- */

struct option_numbers {
    unsigned items[CHOICES_MAX];
    size_t n;
};

static bool add_choice(const struct question *question, double number,
                       struct option_numbers *choices, struct error *reterr)
{
    if (!(number >= 1 && number <= (double)question->n_options) || number != floor(number))
        return error_set(reterr, ERR_RANGE, "the options are numbered 1 to %zu",
                         question->n_options);
    if (choices->n == CHOICES_MAX)
        return error_set(reterr, ERR_LIMIT, "that is more than there are options");
    for (size_t i = 0; i < choices->n; i++)
        if (choices->items[i] == (unsigned)number)
            return error_set(reterr, ERR_RANGE, "%.0f stands there twice", number);
    choices->items[choices->n++] = (unsigned)number;
    return true;
}

/* Reads option numbers: "3 1 2" or "3, 1, 2", as one would write it, or an expression's numbers. */
static bool read_choices(const struct question *question, struct session *session,
                         const char *typed, struct option_numbers *ret, struct error *reterr)
{
    struct option_numbers choices = {.n = 0};
    if (typed[strspn(typed, "0123456789 \t\r\n,)")] == '\0') {
        for (const char *at = typed; *(at += strspn(at, " \t\r\n,)")) != '\0';) {
            char *end;
            if (!add_choice(question, (double)strtoul(at, &end, 10), &choices, reterr))
                return false;
            at = end;
        }
        if (choices.n == 0)
            return error_set(reterr, ERR_SYNTAX, "an option's number is expected");
        *ret = choices;
        return true;
    }
    struct node *node = peek_node(session, NULL, typed, reterr);
    bool ok = node != NULL;
    for (size_t i = 0; ok && i < tensor_size(&node->value); i++)
        ok = add_choice(question, (double)tensor_at_position(&node->value, i), &choices, reterr);
    node_free(node);
    if (ok)
        *ret = choices;
    return ok;
}

static bool has_choice(const struct option_numbers *choices, unsigned item)
{
    for (size_t i = 0; i < choices->n; i++)
        if (choices->items[i] == item)
            return true;
    return false;
}

static bool is_subset(const struct option_numbers *a, const struct option_numbers *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (!has_choice(b, a->items[i]))
            return false;
    return true;
}

static bool same_set(const struct option_numbers *a, const struct option_numbers *b)
{
    return a->n == b->n && is_subset(a, b);
}

static bool same_order(const struct option_numbers *a, const struct option_numbers *b)
{
    return a->n == b->n && memcmp(a->items, b->items, a->n * sizeof a->items[0]) == 0;
}

/* Finds the wrong answer that was given: with `exactly`, the same options; else one that is a
 * single wrong option and among those given. */
static bool find_wrong_choice(const struct question *question, struct session *session,
                              const struct option_numbers *given,
                              const struct option_numbers *right, bool exactly,
                              struct judged *judged, struct error *reterr)
{
    for (size_t i = 0; judged->foreseen == NULL && i < question->n_wrong; i++) {
        struct option_numbers wrong;
        if (!read_choices(question, session, question->wrong[i].is.text, &wrong, reterr))
            return false;
        bool is_among =
            wrong.n == 1 && has_choice(given, wrong.items[0]) && !has_choice(right, wrong.items[0]);
        if (exactly ? same_set(given, &wrong) : is_among)
            judged->foreseen = &question->wrong[i];
    }
    return true;
}

static bool judge_choice(const struct question *question, const struct question_sessions *sessions,
                         const char *typed, struct judged *judged, struct error *reterr)
{
    struct option_numbers given, right;
    if (!read_choices(question, sessions->learner, typed, &given, reterr) ||
        !read_choices(question, sessions->lesson, question->answer.text, &right, reterr))
        return false;
    judged->right = same_set(&given, &right);
    if (judged->right)
        return true;
    if (is_subset(&given, &right))
        snprintf(judged->note, sizeof judged->note, "That is right, but not all of it.");
    return find_wrong_choice(question, sessions->lesson, &given, &right, true, judged, reterr) &&
           find_wrong_choice(question, sessions->lesson, &given, &right, false, judged, reterr);
}

static bool is_complete(const struct question *question, const struct option_numbers *given,
                        struct error *reterr)
{
    return given->n == question->n_options ||
           error_set(reterr, ERR_RANGE,
                     "all %zu steps are asked for, in their order, such as answer 2 1 ...",
                     question->n_options);
}

static bool judge_order(const struct question *question, const struct question_sessions *sessions,
                        const char *typed, struct judged *judged, struct error *reterr)
{
    struct option_numbers given, other;
    if (!read_choices(question, sessions->learner, typed, &given, reterr) ||
        !is_complete(question, &given, reterr) ||
        !read_choices(question, sessions->lesson, question->answer.text, &other, reterr) ||
        !is_complete(question, &other, reterr))
        return false;
    judged->right = same_order(&given, &other);
    size_t n = 0;
    while (n < given.n && given.items[n] == other.items[n])
        n++;
    for (size_t i = 0; !judged->right && i < question->n_also; i++) {
        if (!read_choices(question, sessions->lesson, question->also[i].text, &other, reterr))
            return false;
        judged->right = same_order(&given, &other);
    }
    for (size_t i = 0; !judged->right && judged->foreseen == NULL && i < question->n_wrong; i++) {
        if (!read_choices(question, sessions->lesson, question->wrong[i].is.text, &other, reterr))
            return false;
        if (same_order(&given, &other))
            judged->foreseen = &question->wrong[i];
    }
    if (!judged->right && n > 0)
        snprintf(judged->note, sizeof judged->note, "The first %zu %s in the right place.", n,
                 n == 1 ? "stands" : "stand");
    return true;
}

/* ---- matrices ---- */

/* One row of the list of cells as a position of the answer. */
static bool cell_position(const struct node *answer, const struct node *list, size_t row,
                          size_t *ret, struct error *reterr)
{
    size_t index[TENSOR_MAX_AXES] = {0};
    unsigned n_axes = answer->value.n_axes;
    size_t width = list->value.n_axes == 2 ? list->value.shape[1] : 1;
    if (width != n_axes)
        return error_set(reterr, ERR_SHAPE, "cells: each needs %u numbers, one for each axis",
                         n_axes);
    for (unsigned axis = 0; axis < n_axes; axis++) {
        float at = tensor_at_position(&list->value, row * width + axis);
        if (!(at >= 0 && at < (float)answer->value.shape[axis]))
            return error_set(reterr, ERR_RANGE, "cells: [%zu] lies outside the matrix", row);
        index[axis] = (size_t)at;
    }
    *ret = tensor_position_of(&answer->value, index);
    return true;
}

static bool list_cells(const struct node *answer, const struct node *list,
                       struct question_cells *cells, struct error *reterr)
{
    size_t size = tensor_size(&answer->value);
    cells->n = list != NULL ? (list->value.n_axes > 0 ? list->value.shape[0] : 0) : size;
    if (cells->n == 0)
        return error_set(reterr, ERR_SHAPE, "cells: a list of cells is expected, such as [[0, 1]]");
    if (cells->n > CELLS_MAX)
        return error_set(reterr, ERR_LIMIT,
                         "cells: %zu are asked for, and %d is the most; list those to ask for",
                         cells->n, (int)CELLS_MAX);
    cells->positions = calloc(cells->n, sizeof *cells->positions);
    if (cells->positions == NULL)
        return error_memory(reterr, "the cells of a question");
    for (size_t i = 0; i < cells->n; i++) {
        cells->positions[i] = i;
        if (list != NULL && !cell_position(answer, list, i, &cells->positions[i], reterr))
            return false;
    }
    return true;
}

bool question_cells(const struct question *question, const struct question_sessions *sessions,
                    struct question_cells *ret, struct error *reterr)
{
    struct question_cells cells = {0};
    struct node *list = NULL;
    cells.answer = peek_node(sessions->lesson, NULL, question->answer.text, reterr);
    bool ok = cells.answer != NULL;
    if (ok && cells.answer->value.n_axes == 0)
        ok = error_set(reterr, ERR_SHAPE, "answer: a matrix is expected, and this is one number");
    if (ok && question->cells.text != NULL) {
        list = peek_node(sessions->lesson, NULL, question->cells.text, reterr);
        ok = list != NULL;
    }
    ok = ok && list_cells(cells.answer, list, &cells, reterr);
    node_free(list);
    if (ok)
        *ret = cells;
    else
        question_cells_release(&cells);
    return ok;
}

void question_cells_release(struct question_cells *cells)
{
    node_free(cells->answer);
    free(cells->positions);
    *cells = (struct question_cells){0};
}

/* The wrong answer's matrix; NULL, with *reterr, also when it has another shape. */
static struct node *wrong_matrix(const struct question *question, struct session *session, size_t i,
                                 const struct node *answer, struct error *reterr)
{
    struct node *wrong = peek_node(session, NULL, question->wrong[i].is.text, reterr);
    if (wrong == NULL || tensor_same_shape(&wrong->value, &answer->value))
        return wrong;
    error_set(reterr, ERR_SHAPE, "a wrong answer has another shape than the right one");
    node_free(wrong);
    return NULL;
}

bool question_judge_cell(const struct question *question, const struct question_sessions *sessions,
                         const struct question_cells *cells, size_t i, const char *typed,
                         struct judged *ret, struct error *reterr)
{
    struct judged judged = {0};
    double within = within_of(question);
    size_t position = cells->positions[i];
    float right = tensor_at_position(&cells->answer->value, position);
    struct node *given = peek_number(sessions->learner, typed, reterr);
    bool ok = given != NULL;
    judged.right = ok && is_near(first_number(given), right, within);
    for (size_t k = 0; ok && !judged.right && judged.foreseen == NULL && k < question->n_wrong;
         k++) {
        struct node *wrong = wrong_matrix(question, sessions->lesson, k, cells->answer, reterr);
        ok = wrong != NULL;
        if (ok && is_near(first_number(given), tensor_at_position(&wrong->value, position), within))
            judged.foreseen = &question->wrong[k];
        node_free(wrong);
    }
    if (ok && !judged.right && judged.foreseen == NULL)
        note_rounding(typed, first_number(given), right, &judged);
    node_free(given);
    if (ok)
        *ret = judged;
    return ok;
}

/* How many of the cells asked for differ. */
static size_t count_far_cells(const struct question_cells *cells, const struct node *given,
                              const struct node *other, double within)
{
    size_t n = 0;
    assert(cells->positions != NULL || cells->n == 0);
    for (size_t i = 0; i < cells->n; i++)
        n += !is_near(tensor_at_position(&given->value, cells->positions[i]),
                      tensor_at_position(&other->value, cells->positions[i]), within);
    return n;
}

static bool judge_matrix(const struct question *question, const struct question_sessions *sessions,
                         const char *typed, struct judged *judged, struct error *reterr)
{
    char wanted[TENSOR_SHAPE_TEXT], is[TENSOR_SHAPE_TEXT];
    struct question_cells cells = {0};
    double within = within_of(question);
    struct node *given = peek_node(sessions->learner, NULL, typed, reterr);
    bool ok = given != NULL && question_cells(question, sessions, &cells, reterr);
    if (ok && !tensor_same_shape(&given->value, &cells.answer->value))
        ok = error_set(reterr, ERR_SHAPE, "a matrix of %s is asked for, and this is %s",
                       tensor_shape_text(&cells.answer->value, wanted),
                       tensor_shape_text(&given->value, is));
    size_t n_far = ok ? count_far_cells(&cells, given, cells.answer, within) : 0;
    judged->right = ok && n_far == 0;
    for (size_t i = 0; ok && !judged->right && judged->foreseen == NULL && i < question->n_wrong;
         i++) {
        struct node *wrong = wrong_matrix(question, sessions->lesson, i, cells.answer, reterr);
        ok = wrong != NULL;
        if (ok && count_far_cells(&cells, given, wrong, within) == 0)
            judged->foreseen = &question->wrong[i];
        node_free(wrong);
    }
    if (ok && !judged->right)
        snprintf(judged->note, sizeof judged->note, "%zu of the %zu cells %s wrong.", n_far,
                 cells.n, n_far == 1 ? "is" : "are");
    question_cells_release(&cells);
    node_free(given);
    return ok;
}

/* ---- formulas ---- */

/* The lines that make fresh inputs, of another kind each time. */
static bool trial_lines(const struct question *question, unsigned trial, struct text *lines,
                        struct error *reterr)
{
    text_clear(lines);
    text_format(lines, "manual_seed(%u)\n", FIRST_TRIAL_SEED + trial);
    for (size_t i = 0; i < question->n_draw; i++) {
        text_put(lines, question->draw[i].text);
        text_char(lines, '\n');
    }
    return !lines->failed || error_memory(reterr, "the inputs of a question");
}

/* Whether one expression gives what another does, each time on fresh inputs. When the expression
 * fails on them, *ret_same is false too, and note says why. */
static bool compare_formulas(const struct question *question, struct session *session,
                             const char *given, struct session *other_session, const char *other,
                             bool *ret_same, char note[320], struct error *reterr)
{
    struct text lines = {0};
    bool ok = true, same = true;
    for (unsigned trial = 0; ok && same && trial < FORMULA_TRIALS; trial++) {
        struct error error = {0};
        ok = trial_lines(question, trial, &lines, reterr);
        struct node *right =
            ok ? peek_node(other_session, text_string(&lines), other, reterr) : NULL;
        ok = right != NULL;
        struct node *node = ok ? peek_node(session, text_string(&lines), given, &error) : NULL;
        same = node != NULL && same_numbers(&node->value, &right->value, within_of(question));
        if (ok && node == NULL)
            snprintf(note, 320, "With other inputs of other sizes it fails: %.220s", error.text);
        if (ok && node == NULL && error.kind == ERR_INTERRUPTED)
            ok = error_set(reterr, error.kind, "%s", error.text);
        node_free(node);
        node_free(right);
    }
    text_release(&lines);
    *ret_same = same;
    return ok;
}

/* Compares the shapes and the numbers on the session's own values, to say something helpful. */
static void note_formula(const struct question *question, const struct question_sessions *sessions,
                         const struct node *given, char note[320])
{
    char wanted[TENSOR_SHAPE_TEXT], is[TENSOR_SHAPE_TEXT];
    size_t first;
    struct error ignored;
    struct node *right = peek_node(sessions->lesson, NULL, question->answer.text, &ignored);
    if (right == NULL)
        return;
    if (!tensor_same_shape(&given->value, &right->value)) {
        snprintf(note, 320, "The shape is another one: %s is needed, and this is %s.",
                 tensor_shape_text(&right->value, wanted), tensor_shape_text(&given->value, is));
    } else {
        size_t n = count_far(&given->value, &right->value, within_of(question), &first);
        if (n > 0)
            snprintf(note, 320, "The shape is right; %zu of %zu numbers are not.", n,
                     tensor_size(&right->value));
        else if (note[0] == '\0')
            snprintf(note, 320,
                     "These are the right numbers for these inputs, and wrong ones for others. "
                     "Write it with the names that the question speaks of: what was computed "
                     "before, or copied, does not change with them.");
    }
    node_free(right);
}

static bool find_wrong_formula(const struct question *question,
                               const struct question_sessions *sessions, const char *typed,
                               struct judged *judged, struct error *reterr)
{
    for (size_t i = 0; judged->foreseen == NULL && i < question->n_wrong; i++) {
        char ignored[320] = "";
        bool same;
        if (!compare_formulas(question, sessions->learner, typed, sessions->lesson,
                              question->wrong[i].is.text, &same, ignored, reterr))
            return false;
        if (same)
            judged->foreseen = &question->wrong[i];
    }
    return true;
}

/* Whether the names in typed are there with fresh inputs. What fails otherwise is judged. */
static bool has_names(const struct question *question, struct session *session, const char *typed,
                      struct error *reterr)
{
    struct text lines = {0};
    struct error error = {0};
    struct node *node = trial_lines(question, 0, &lines, &error)
                            ? peek_node(session, text_string(&lines), typed, &error)
                            : NULL;
    bool ok = node != NULL || error.kind != ERR_NAME;
    if (!ok && reterr != NULL)
        *reterr = error;
    node_free(node);
    text_release(&lines);
    return ok;
}

/* Whether both give the same on the lesson's own values, too; true where one of them can't be
 * computed there, for names that only the learner or the fresh inputs have. A number that was read
 * off the inputs' recipe gives itself away here. */
static bool fits_lesson(const struct question *question, struct session *lesson, const char *typed)
{
    struct error ignored;
    struct node *right = peek_node(lesson, NULL, question->answer.text, &ignored);
    struct node *given = right != NULL ? peek_node(lesson, NULL, typed, &ignored) : NULL;
    bool fits = given == NULL || same_numbers(&given->value, &right->value, within_of(question));
    node_free(given);
    node_free(right);
    return fits;
}

static bool judge_formula(const struct question *question, const struct question_sessions *sessions,
                          const char *typed, struct judged *judged, struct error *reterr)
{
    struct error first = {0}, ignored;
    struct node *given = peek_node(sessions->learner, NULL, typed, &first);
    if (given == NULL && first.kind != ERR_NAME) {
        /* The learner's names may mean other things by now: it may work with the lesson's. */
        struct node *node = peek_node(sessions->lesson, NULL, typed, &ignored);
        bool works = node != NULL;
        node_free(node);
        if (!works && reterr != NULL)
            *reterr = first;
        if (!works)
            return false;
    }
    if (given == NULL && first.kind == ERR_NAME &&
        !has_names(question, sessions->learner, typed, reterr))
        return false; /* a name may be one that only the fresh inputs have; here it is a slip */
    bool ok = compare_formulas(question, sessions->learner, typed, sessions->lesson,
                               question->answer.text, &judged->right, judged->note, reterr);
    if (ok && judged->right)
        judged->right = fits_lesson(question, sessions->lesson, typed);
    if (ok && !judged->right) {
        ok = find_wrong_formula(question, sessions, typed, judged, reterr);
        if (ok && given != NULL && judged->foreseen == NULL)
            note_formula(question, sessions, given, judged->note);
    }
    node_free(given);
    return ok;
}

bool question_accepts_copy(const struct question *question,
                           const struct question_sessions *sessions, bool *ret,
                           struct error *reterr)
{
    struct error ignored;
    struct text lines = {0};
    struct node *copy = peek_node(sessions->lesson, NULL, question->answer.text, &ignored);
    bool ok = true, same = true;
    for (unsigned trial = 0; ok && same && trial < FORMULA_TRIALS; trial++) {
        struct node *right =
            trial_lines(question, trial, &lines, reterr)
                ? peek_node(sessions->lesson, text_string(&lines), question->answer.text, reterr)
                : NULL;
        ok = right != NULL;
        if (ok && copy == NULL)
            copy = node_share(right); /* the session does not have the names: copied from a trial */
        same = ok && same_numbers(&copy->value, &right->value, within_of(question));
        node_free(right);
    }
    text_release(&lines);
    node_free(copy);
    if (ok)
        *ret = same;
    return ok;
}

/* ---- all kinds ---- */

typedef bool judge_kind(const struct question *question, const struct question_sessions *sessions,
                        const char *typed, struct judged *judged, struct error *reterr);

static judge_kind *const judges[QUESTION_KINDS] = {
    [QUESTION_NUMBER] = judge_number,   [QUESTION_CHOICE] = judge_choice,
    [QUESTION_MATRIX] = judge_matrix,   [QUESTION_ORDER] = judge_order,
    [QUESTION_FORMULA] = judge_formula,
};

bool question_judge(const struct question *question, const struct question_sessions *sessions,
                    const char *typed, struct judged *ret, struct error *reterr)
{
    struct judged judged = {0};
    if (!judges[question->kind](question, sessions, typed, &judged, reterr))
        return false;
    *ret = judged;
    return true;
}

bool question_check_guess(const struct question *question, const struct question_sessions *sessions,
                          const char *typed, struct error *reterr)
{
    struct option_numbers choices;
    if (question->n_options > 0)
        return read_choices(question, sessions->learner, typed, &choices, reterr);
    struct node *node = peek_number(sessions->learner, typed, reterr);
    node_free(node);
    return node != NULL;
}

/* ---- telling ---- */

static bool tell_value(const struct question *question, const struct question_sessions *sessions,
                       struct text *out, struct error *reterr)
{
    struct value value;
    const char *expression = question->answer.text;
    if (!session_peek(sessions->lesson, NULL, expression, &value, reterr))
        return false;
    text_put(out, "**");
    bool ok = prose_value_say(sessions->lesson, &value, out, reterr);
    text_put(out, "**");
    bool is_formula = expression[strspn(expression, "0123456789.-, []\n")] != '\0';
    if (ok && is_formula) /* it says more than its value does */
        text_format(out, ", from `%s`", expression);
    value_release(&value);
    return ok;
}

static bool tell_choices(const struct question *question, const struct question_sessions *sessions,
                         struct text *out, struct error *reterr)
{
    struct option_numbers right;
    if (!read_choices(question, sessions->lesson, question->answer.text, &right, reterr))
        return false;
    for (size_t i = 0; i < right.n; i++) {
        const struct lesson_text *option = &question->options[right.items[i] - 1];
        text_format(out, "%s- %u: ", i > 0 ? "\n" : "", right.items[i]);
        if (!prose_values_fill(sessions->lesson, option->text, out, NULL, reterr))
            return false;
    }
    return true;
}

bool question_tell(const struct question *question, const struct question_sessions *sessions,
                   struct text *out, struct error *reterr)
{
    size_t size = out->size;
    bool ok;
    if (question->kind == QUESTION_FORMULA) {
        text_format(out, "`%s`", question->answer.text);
        ok = true;
    } else {
        ok = question->n_options > 0 ? tell_choices(question, sessions, out, reterr)
                                     : tell_value(question, sessions, out, reterr);
    }
    ok = ok && (!out->failed || error_memory(reterr, "an answer"));
    if (!ok)
        text_shrink(out, size);
    return ok;
}
