/* Matrices as answers, whole or cell by cell. */
#include "course/lesson/question_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/node.h"
#include "tensor/tensor.h"

enum { CELLS_MAX = 64 }; /* one bit each in the remembered state */

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

/* The matrix that the question is about. */
static struct node *question_matrix(const struct question *question, struct session *session,
                                    struct error *reterr)
{
    if (question->kind == QUESTION_CELL)
        return cell_matrix(question, session, reterr);
    return question->kind == QUESTION_MASK
               ? mask_answer(question, session, reterr)
               : answer_peek(session, NULL, question->answer.text, reterr);
}

bool question_cells(const struct question *question, const struct question_sessions *sessions,
                    struct question_cells *ret, struct error *reterr)
{
    struct question_cells cells = {0};
    struct node *list = NULL;
    cells.answer = question_matrix(question, sessions->lesson, reterr);
    bool ok = cells.answer != NULL;
    if (ok && cells.answer->value.n_axes == 0)
        ok = error_set(reterr, ERR_SHAPE, "answer: a matrix is expected, and this is one number");
    if (ok && question->cells.text != NULL) {
        list = answer_peek(sessions->lesson, NULL, question->cells.text, reterr);
        ok = list != NULL;
    }
    ok =
        ok && (question->kind != QUESTION_MATRIX || list_cells(cells.answer, list, &cells, reterr));
    if (ok && question->kind == QUESTION_CELL)
        ok = cell_list_right(question, sessions->lesson, &cells, reterr);
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
    struct node *wrong = answer_peek(session, NULL, question->wrong[i].is.text, reterr);
    if (wrong == NULL || tensor_same_shape(&wrong->value, &answer->value))
        return wrong;
    error_set(reterr, ERR_SHAPE, "a wrong answer has another shape than the right one");
    node_free(wrong);
    return NULL;
}

/* A single number of a matrix, and which of the cells asked for it was typed for. */
struct typed_cell {
    const struct question *question;
    const struct question_cells *cells;
    size_t i;
    struct typed_number number;
};

/* Whether a foreseen matrix has this number there, and is right in the cells before, as the typed
 * ones are. */
static bool fits_so_far(const struct typed_cell *cell, const struct node *wrong, bool rounded)
{
    const struct tensor *answer = &cell->cells->answer->value;
    const size_t *positions = cell->cells->positions;
    for (size_t i = 0; i < cell->i; i++)
        if (!question_accepts_number(cell->question,
                                     tensor_at_position(&wrong->value, positions[i]),
                                     tensor_at_position(answer, positions[i])))
            return false;
    float number = tensor_at_position(&wrong->value, positions[cell->i]);
    return typed_number_is_foreseen(&cell->number, cell->question, number, rounded);
}

/* Finds the foreseen matrix that fits; if several do, one number does not say which. *ret_n is
 * their number. */
static bool find_wrong_cell_number(const struct typed_cell *cell, struct session *session,
                                   bool rounded, struct judged *judged, size_t *ret_n,
                                   struct error *reterr)
{
    const struct question *question = cell->question;
    *ret_n = 0;
    for (size_t i = 0; i < question->n_wrong; i++) {
        struct node *wrong = wrong_matrix(question, session, i, cell->cells->answer, reterr);
        if (wrong == NULL)
            return false;
        if (fits_so_far(cell, wrong, rounded))
            judged->foreseen = (*ret_n)++ == 0 ? &question->wrong[i] : NULL;
        node_free(wrong);
    }
    return true;
}

bool question_judge_cell(const struct question *question, const struct question_sessions *sessions,
                         const struct question_cells *cells, size_t i, const char *typed,
                         struct judged *ret, struct error *reterr)
{
    struct judged judged = {0};
    struct typed_cell cell = {.question = question, .cells = cells, .i = i};
    float right = tensor_at_position(&cells->answer->value, cells->positions[i]);
    size_t n = 0;
    if (!answer_peek_typed(sessions->learner, typed, &cell.number, reterr))
        return false;
    typed_number_settle_percent(&cell.number, question, right);
    judged.right = question_accepts_number(question, cell.number.value, right);
    bool ok =
        judged.right || find_wrong_cell_number(&cell, sessions->lesson, false, &judged, &n, reterr);
    if (ok && !judged.right && n == 0)
        judged_note_rounding(&cell.number, right, &judged);
    if (ok && !judged.right && n == 0 && !judged.is_unfinished)
        ok = find_wrong_cell_number(&cell, sessions->lesson, true, &judged, &n, reterr);
    const struct mistaken mistaken = {question, sessions, typed, cells, i};
    ok = ok && (n > 0 || question_name_mistake(&mistaken, &judged, reterr));
    if (ok)
        *ret = judged;
    return ok;
}

static bool find_wrong_matrix(const struct question *question, struct session *session,
                              const struct question_cells *cells, const struct node *given,
                              bool rounded, struct judged *judged, struct error *reterr)
{
    for (size_t i = 0; judged->foreseen == NULL && i < question->n_wrong; i++) {
        size_t ignored;
        struct node *wrong = wrong_matrix(question, session, i, cells->answer, reterr);
        if (wrong == NULL)
            return false;
        if (question_count_far_cells(question, cells, given, wrong, rounded, &ignored) == 0)
            judged->foreseen = &question->wrong[i];
        node_free(wrong);
    }
    return true;
}

/* Notes about a matrix that is not right. */
static bool note_matrix(const struct question *question, struct session *session,
                        const struct question_cells *cells, const struct node *given,
                        struct judged *judged, struct error *reterr)
{
    size_t first = 0, ignored;
    if (!find_wrong_matrix(question, session, cells, given, false, judged, reterr))
        return false;
    if (judged->foreseen == NULL &&
        question_count_far_cells(question, cells, given, cells->answer, true, &ignored) == 0) {
        judged_note_unfinished(judged);
        return true;
    }
    size_t n_far = question_count_far_cells(question, cells, given, cells->answer, false, &first);
    snprintf(judged->note, sizeof judged->note, "%zu of the %zu cells %s wrong.", n_far, cells->n,
             n_far == 1 ? "is" : "are");
    return find_wrong_matrix(question, session, cells, given, true, judged, reterr) &&
           judged_note_where(cells->answer, first, n_far, judged, reterr);
}

/* A row of numbers, whether its one row is counted as an axis or not. */
static bool is_one_row(const struct tensor *x)
{
    return x->n_axes == 1 || (x->n_axes == 2 && x->shape[0] == 1);
}

/* [[1, 2]] is as good as [1, 2]: if one row is asked for, one more or one less pair of brackets
 * means the same numbers in the same order. */
static bool is_shape_asked_for(const struct tensor *given, const struct tensor *answer)
{
    return tensor_same_shape(given, answer) ||
           (is_one_row(given) && is_one_row(answer) && tensor_size(given) == tensor_size(answer));
}

bool question_judge_matrix(const struct question *question,
                           const struct question_sessions *sessions, const char *typed,
                           struct judged *judged, struct error *reterr)
{
    char wanted[TENSOR_SHAPE_TEXT], is[TENSOR_SHAPE_TEXT];
    struct question_cells cells = {0};
    struct node *given = answer_peek(sessions->learner, NULL, typed, reterr);
    bool ok = given != NULL && question_cells(question, sessions, &cells, reterr);
    if (ok && !is_shape_asked_for(&given->value, &cells.answer->value))
        ok = error_set(reterr, ERR_SHAPE, "a matrix of %s is asked for, and this is %s",
                       tensor_shape_text(&cells.answer->value, wanted),
                       tensor_shape_text(&given->value, is));
    size_t ignored;
    judged->right =
        ok && question_count_far_cells(question, &cells, given, cells.answer, false, &ignored) == 0;
    if (ok && !judged->right)
        ok = note_matrix(question, sessions->lesson, &cells, given, judged, reterr);
    const struct mistaken mistaken = {question, sessions, typed, &cells, cells.n};
    ok = ok && question_name_mistake(&mistaken, judged, reterr);
    question_cells_release(&cells);
    node_free(given);
    return ok;
}
