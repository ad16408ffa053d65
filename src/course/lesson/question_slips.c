/* Slips that are about cells, not about formulas: another cell or row is taken, two numbers have
 * changed places, a sign is lost. */
#include "course/lesson/question_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/node.h"
#include "tensor/tensor.h"

enum {
    MOST_CELLS = 400,
    MOST_TRIED = 64, /* cells that are put in the place of one, in a longer expression */
};

static const char ask_cell[] = "Which row and which column does the question name?";

/* ---- one number: that of another cell ---- */

/* Other cells whose number equals the typed one. */
struct taken {
    const struct node *matrix;
    size_t asked;        /* the cell that was meant; or the matrix's size: unknown */
    size_t position, n;  /* the last one, and how many */
    size_t near, n_near; /* of these, those in the row or the column of the one that was meant */
};

static bool are_in_line(const struct tensor *x, size_t a, size_t b)
{
    size_t n_columns = x->n_axes > 0 ? x->shape[x->n_axes - 1] : 1;
    return n_columns > 0 && (a / n_columns == b / n_columns || a % n_columns == b % n_columns);
}

static void take(struct taken *taken, size_t position)
{
    const struct tensor *x = &taken->matrix->value;
    taken->position = position;
    taken->n++;
    if (taken->asked < tensor_size(x) && are_in_line(x, taken->asked, position)) {
        taken->near = position;
        taken->n_near++;
    }
}

/* Does the number say which cell it was taken from? A whole number stands somewhere in a matrix by
 * accident, so that it must lie in line with the cell that is asked for. */
static bool tells_its_place(const struct taken *taken)
{
    if (taken->n != 1 || taken->n_near == 1)
        return taken->n_near == 1;
    float number = tensor_at_position(&taken->matrix->value, taken->position);
    return number != roundf(number);
}

static bool note_taken(const struct taken *taken, struct slip *ret, struct error *reterr)
{
    struct text place = {0};
    if (ret->n_cells < taken->n)
        ret->n_cells = taken->n;
    if (!tells_its_place(taken))
        return true;
    node_write_place(taken->matrix, taken->n_near == 1 ? taken->near : taken->position, &place);
    ret->id = "neighbour-cell";
    snprintf(ret->when, sizeof ret->when, "the number at %.80s is taken", text_string(&place));
    ret->ask = ask_cell;
    bool ok = !place.failed || error_memory(reterr, "an answer");
    text_release(&place);
    return ok;
}

bool slip_in_cell(const struct node *matrix, size_t asked, const struct typed_number *typed,
                  struct slip *ret, struct error *reterr)
{
    struct taken taken = {.matrix = matrix, .asked = asked};
    size_t size = tensor_size(&matrix->value);
    for (size_t i = 0; i < size && size <= MOST_CELLS; i++)
        if (i != asked && typed_number_is(typed, tensor_at_position(&matrix->value, i)))
            take(&taken, i);
    return note_taken(&taken, ret, reterr);
}

struct looking {
    struct session *session;
    const char *answer;
    const struct typed_number *typed;
    struct slip *slip;
    struct error *reterr;
    bool failed; /* for want of memory, or interrupted: *reterr */
};

/* A formula that can't be computed is not a slip; lack of memory ends the search. */
static void check_stop(struct looking *looking, const struct error *error)
{
    if (!looking->failed && error_is_stop(error)) {
        looking->failed = true;
        error_set(looking->reterr, error->kind, "%s", error->text);
    }
}

/* Does the answer give the typed number, with a number in place of one of its parts? */
static bool gives_typed(struct looking *looking, const struct expr *part, float number)
{
    struct text text = {0};
    struct error error = {0};
    float value;
    text_format(&text, "%.*s(%.9g)%s", (int)part->begin, looking->answer, (double)number,
                looking->answer + part->end);
    bool ok = text.failed
                  ? error_memory(&error, "an answer")
                  : isfinite(number) &&
                        answer_peek_number(looking->session, text_string(&text), &value, &error);
    check_stop(looking, &error);
    text_release(&text);
    return ok && typed_number_is(looking->typed, value);
}

/* The cell that an index of the matrix, which object gives, means; the matrix's size if it is not
 * one cell. */
static size_t asked_position(struct looking *looking, const struct node *matrix, const char *object,
                             const struct expr *expr)
{
    struct error error = {0};
    size_t n = expr->as.list.n, size = tensor_size(&matrix->value);
    if (n == 0)
        return size;
    size_t begin = expr->as.list.items[0]->begin, end = expr->as.list.items[n - 1]->end;
    struct node *positions = cell_positions(looking->session, matrix, object,
                                            looking->answer + begin, end - begin, &error);
    if (positions == NULL)
        check_stop(looking, &error);
    size_t position = positions != NULL && tensor_size(&positions->value) == 1
                          ? (size_t)tensor_at_position(&positions->value, 0)
                          : size;
    node_free(positions);
    return position;
}

static void try_cells(struct looking *looking, const struct node *matrix, const char *object,
                      const struct expr *expr)
{
    size_t size = tensor_size(&matrix->value);
    struct taken taken = {.matrix = matrix, .asked = asked_position(looking, matrix, object, expr)};
    for (size_t i = 0; i < size && size <= MOST_TRIED && !looking->failed; i++)
        if (gives_typed(looking, expr, tensor_at_position(&matrix->value, i)))
            take(&taken, i);
    if (looking->slip->id == NULL && !note_taken(&taken, looking->slip, looking->reterr))
        looking->failed = true;
}

static void look_at_index(struct looking *looking, const struct expr *expr)
{
    struct text object = {0};
    struct error error = {0};
    text_add(&object, looking->answer + expr->object->begin,
             expr->object->end - expr->object->begin);
    struct node *matrix = NULL;
    if (object.failed)
        error_memory(&error, "an answer");
    else
        matrix = answer_peek(looking->session, NULL, text_string(&object), &error);
    if (matrix == NULL)
        check_stop(looking, &error);
    else
        try_cells(looking, matrix, text_string(&object), expr);
    node_free(matrix);
    text_release(&object);
}

static void look_at(const struct expr *expr, void *context)
{
    struct looking *looking = context;
    if (looking->failed)
        return;
    if (expr->kind == EXPR_INDEX)
        look_at_index(looking, expr);
    expr_each_part(expr, look_at, context);
}

bool slip_in_index(struct session *session, const char *answer, const struct expr *expr,
                   const struct typed_number *typed, struct slip *ret, struct error *reterr)
{
    struct looking looking = {session, answer, typed, ret, reterr, false};
    look_at(expr, &looking);
    return !looking.failed;
}

/* ---- a matrix ---- */

/* A matrix that was typed beside the right one. */
struct compared {
    const struct question *question;
    const struct tensor *given, *right;
    const struct question_cells *cells;
    bool is_asked[MOST_CELLS];
    size_t wrong[MOST_CELLS];
    size_t n_wrong, n_rows, n_columns;
};

static bool is_cell(const struct compared *compared, size_t position, size_t of)
{
    float given = tensor_at_position(compared->given, position);
    float wanted = tensor_at_position(compared->right, of);
    return question_accepts_number(compared->question, given, wanted) ||
           number_is_rounding(given, wanted);
}

/* Is every asked cell of this row, as typed, that of another row of the right matrix? */
static bool is_row(const struct compared *compared, size_t row, size_t of)
{
    for (size_t column = 0; column < compared->n_columns; column++) {
        size_t position = row * compared->n_columns + column;
        if (compared->is_asked[position] &&
            !is_cell(compared, position, of * compared->n_columns + column))
            return false;
    }
    return true;
}

static void slip_exchanged(const struct compared *compared, struct slip *ret)
{
    struct text one = {0}, other = {0};
    if (compared->n_wrong != 2 || !is_cell(compared, compared->wrong[0], compared->wrong[1]) ||
        !is_cell(compared, compared->wrong[1], compared->wrong[0]))
        return;
    node_write_place(compared->cells->answer, compared->wrong[0], &one);
    node_write_place(compared->cells->answer, compared->wrong[1], &other);
    ret->id = "cells-exchanged";
    snprintf(ret->when, sizeof ret->when, "the numbers at %.60s and %.60s change places",
             text_string(&one), text_string(&other));
    ret->ask = "Which of the two belongs where?";
    text_release(&one);
    text_release(&other);
}

static void slip_of_sign(const struct compared *compared, struct slip *ret)
{
    for (size_t i = 0; i < compared->n_wrong; i++) {
        float given = tensor_at_position(compared->given, compared->wrong[i]);
        float right = tensor_at_position(compared->right, compared->wrong[i]);
        if (!question_accepts_number(compared->question, -given, right))
            return;
    }
    ret->id = "sign";
    snprintf(ret->when, sizeof ret->when, "%s",
             compared->n_wrong == 1 ? "one sign is lost" : "the signs are wrong");
    ret->ask = "Should it be negative, or positive?";
}

/* Each wrong row is another one: always the one before or after it, or any. */
static void slip_of_rows(const struct compared *compared, struct slip *ret)
{
    size_t n_wrong = 0, from = 0, n_before = 0, n_after = 0, at = 0;
    for (size_t row = 0; row < compared->n_rows; row++) {
        size_t n_found = 0;
        if (is_row(compared, row, row))
            continue;
        n_wrong++;
        for (size_t of = 0; of < compared->n_rows; of++)
            if (of != row && is_row(compared, row, of)) {
                from = of;
                n_found++;
                n_before += of + 1 == row;
                n_after += of == row + 1;
            }
        if (n_found == 0)
            return;
        at = row;
    }
    if (n_wrong == 0)
        return;
    bool is_shifted = n_wrong > 1 && (n_before == n_wrong || n_after == n_wrong);
    ret->id = is_shifted ? "rows-shifted" : "other-row";
    if (is_shifted)
        snprintf(ret->when, sizeof ret->when, "each row is the one %s it",
                 n_before == n_wrong ? "before" : "after");
    else if (n_wrong == 1)
        snprintf(ret->when, sizeof ret->when, "row %zu repeats row %zu", at, from);
    else
        snprintf(ret->when, sizeof ret->when, "rows are mixed up");
    ret->ask = "Which row belongs where? They are counted from 0.";
}

size_t slip_in_matrix(const struct question *question, const struct question_cells *cells,
                      const struct node *given, size_t *ret_first, struct slip *ret)
{
    struct compared compared = {.question = question,
                                .given = &given->value,
                                .right = &cells->answer->value,
                                .cells = cells};
    size_t size = tensor_size(compared.right);
    if (size > MOST_CELLS || tensor_size(compared.given) != size)
        return 0;
    compared.n_columns = compared.right->n_axes == 2 ? compared.right->shape[1] : size;
    compared.n_rows = compared.n_columns > 0 ? size / compared.n_columns : 0;
    for (size_t i = 0; i < cells->n; i++) {
        compared.is_asked[cells->positions[i]] = true;
        if (!is_cell(&compared, cells->positions[i], cells->positions[i]))
            compared.wrong[compared.n_wrong++] = i;
    }
    if (compared.n_wrong == 0)
        return 0;
    *ret_first = compared.wrong[0];
    for (size_t i = 0; i < compared.n_wrong; i++)
        compared.wrong[i] = cells->positions[compared.wrong[i]];
    slip_of_sign(&compared, ret);
    if (ret->id == NULL)
        slip_exchanged(&compared, ret);
    if (ret->id == NULL && compared.n_columns > 1)
        slip_of_rows(&compared, ret);
    return compared.n_wrong;
}
