/* Cells of a matrix as answers: those that one points at. */
#include "course/lesson/question_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "tensor/tensor.h"

/* Cells of a matrix, by their row-major positions. */
struct picked_cells {
    bool is_in[QUESTION_MAX_POINTS];
    size_t n_cells;
};

/* ---- places in a matrix, as one writes them ---- */

/* An expression for the matrix with the position of each cell in its place, and its labels. */
static void write_positions(const struct node *matrix, const char *expression, struct text *out)
{
    text_format(out, "((((%s) == (%s)) * 0) + arange(%zu).reshape(", expression, expression,
                tensor_size(&matrix->value));
    for (unsigned axis = 0; axis < matrix->value.n_axes; axis++)
        text_format(out, "%s%zu", axis > 0 ? ", " : "", matrix->value.shape[axis]);
    text_put(out, "))");
}

struct node *cell_positions(struct session *session, const struct node *matrix,
                            const char *expression, const char *index, size_t size,
                            struct error *reterr)
{
    struct text text = {0};
    struct error error = {0};
    write_positions(matrix, expression, &text);
    text_char(&text, '[');
    size_t before = text.size;
    text_add(&text, index, size);
    text_char(&text, ']');
    struct node *node = NULL;
    if (text.failed)
        error_memory(&error, "a cell");
    else
        node = answer_peek(session, NULL, text_string(&text), &error);
    text_release(&text);
    if (node == NULL && reterr != NULL) {
        bool is_inside = error.begin >= before && error.end <= before + size;
        *reterr = error;
        reterr->begin = is_inside ? error.begin - before : 0;
        reterr->end = is_inside ? error.end - before : size;
    }
    return node;
}

/* The end of a piece of the answer: a semicolon or a new row outside texts. */
static size_t piece_size(const char *typed)
{
    char quote = '\0';
    size_t i = 0;
    for (; typed[i] != '\0'; i++) {
        if (quote != '\0')
            quote = typed[i] == quote ? '\0' : quote;
        else if (typed[i] == '"' || typed[i] == '\'')
            quote = typed[i];
        else if (typed[i] == ';' || typed[i] == '\n')
            break;
    }
    return i;
}

/* The text in the brackets of W["sun", "cat"] or [1, 2]; 1, 2 itself. */
static const char *find_index(const char *piece, size_t *size)
{
    const char *open = memchr(piece, '[', *size);
    while (*size > 0 && strchr(" \t\r", piece[*size - 1]) != NULL)
        --*size;
    if (open == NULL || piece[*size - 1] != ']')
        return piece;
    *size -= (size_t)(open + 1 - piece) + 1;
    return open + 1;
}

/* 1 2, as one would write two options, is 1, 2. */
static void write_index(const char *index, size_t size, struct text *out)
{
    size_t numbers = 0;
    while (numbers < size && strchr("0123456789 \t", index[numbers]) != NULL)
        numbers++;
    for (size_t i = 0; i < size; i++) {
        bool is_gap = numbers == size && i > 0 && index[i] != ' ' && index[i] != '\t' &&
                      (index[i - 1] == ' ' || index[i - 1] == '\t') && out->size > 0;
        text_put(out, is_gap ? ", " : "");
        text_char(out, index[i]);
    }
}

static bool pick_piece(const struct question *question, struct session *session,
                       const struct node *matrix, const char *piece, size_t size,
                       struct picked_cells *picked, struct error *reterr)
{
    struct text index = {0};
    const char *found = find_index(piece, &size);
    write_index(found, size, &index);
    struct node *places = index.failed ? NULL
                                       : cell_positions(session, matrix, question->matrix.text,
                                                        text_string(&index), index.size, reterr);
    if (index.failed)
        error_memory(reterr, "an answer");
    if (places == NULL && reterr != NULL && !index.failed) {
        reterr->begin += (size_t)(found - piece);
        reterr->end += (size_t)(found - piece);
    }
    for (size_t i = 0; places != NULL && i < tensor_size(&places->value); i++)
        picked->is_in[(size_t)tensor_at_position(&places->value, i)] = true;
    bool ok = places != NULL;
    node_free(places);
    text_release(&index);
    return ok;
}

/* The cells in typed: "1, 2", "W[\"sun\", 0]; [1, 1]". *reterr has its place in typed. */
static bool read_picked(const struct question *question, struct session *session,
                        const struct node *matrix, const char *typed, struct picked_cells *ret,
                        struct error *reterr)
{
    struct picked_cells picked = {.n_cells = tensor_size(&matrix->value)};
    for (const char *at = typed; *at != '\0';) {
        size_t size = piece_size(at), blank = strspn(at, " \t\r");
        if (blank < size &&
            !pick_piece(question, session, matrix, at + blank, size - blank, &picked, reterr)) {
            if (reterr != NULL && reterr->end > reterr->begin) {
                reterr->begin += (size_t)(at + blank - typed);
                reterr->end += (size_t)(at + blank - typed);
            }
            return false;
        }
        at += size;
        at += *at != '\0';
    }
    *ret = picked;
    return true;
}

/* ---- places as an author writes them: an expression ---- */

static bool pick_rows(const struct node *matrix, const struct node *list,
                      struct picked_cells *picked, struct error *reterr)
{
    size_t width = matrix->value.n_axes, n = tensor_size(&list->value);
    bool is_list = list->value.n_axes == 2 && list->value.shape[1] == width;
    bool is_one = list->value.n_axes == 1 && n == width;
    if (!is_list && !is_one)
        return error_set(reterr, ERR_SHAPE,
                         "a cell such as [0, 1], a list of cells, or a matrix of True and False is "
                         "expected");
    for (size_t row = 0; row < n / width; row++) {
        size_t index[TENSOR_MAX_AXES] = {0};
        for (size_t axis = 0; axis < width; axis++) {
            float at = tensor_at_position(&list->value, row * width + axis);
            if (!(at >= 0 && at < (float)matrix->value.shape[axis]))
                return error_set(reterr, ERR_RANGE, "cell %zu lies outside the matrix", row);
            index[axis] = (size_t)at;
        }
        picked->is_in[tensor_position_of(&matrix->value, index)] = true;
    }
    return true;
}

static bool pick_by_value(struct session *session, const struct node *matrix,
                          const char *expression, struct picked_cells *ret, struct error *reterr)
{
    struct picked_cells picked = {.n_cells = tensor_size(&matrix->value)};
    struct node *list = answer_peek(session, NULL, expression, reterr);
    bool ok = list != NULL;
    if (ok && list->value.is_bool && tensor_same_shape(&list->value, &matrix->value))
        for (size_t i = 0; i < picked.n_cells; i++)
            picked.is_in[i] = tensor_at_position(&list->value, i) != 0;
    else
        ok = ok && pick_rows(matrix, list, &picked, reterr);
    node_free(list);
    if (ok)
        *ret = picked;
    return ok;
}

static size_t count(const struct picked_cells *picked)
{
    size_t n = 0;
    for (size_t i = 0; i < picked->n_cells; i++)
        n += picked->is_in[i];
    return n;
}

struct node *cell_matrix(const struct question *question, struct session *session,
                         struct error *reterr)
{
    struct node *matrix = answer_peek(session, NULL, question->matrix.text, reterr);
    bool fits = matrix != NULL && matrix->value.n_axes >= 1 && matrix->value.n_axes <= 2 &&
                tensor_size(&matrix->value) <= QUESTION_MAX_POINTS;
    if (matrix == NULL || fits)
        return matrix;
    error_set(reterr, ERR_SHAPE, "matrix: one of at most %d cells is expected",
              (int)QUESTION_MAX_POINTS);
    node_free(matrix);
    return NULL;
}

/* The foreseen answer that was given: the same cells, or one that has a wrong cell of it. */
static bool find_wrong_cell(const struct question *question, struct session *session,
                            const struct node *matrix, const struct picked_cells *given,
                            const struct picked_cells *right, struct judged *judged,
                            struct error *reterr)
{
    const struct wrong_answer *touched = NULL;
    for (size_t i = 0; judged->foreseen == NULL && i < question->n_wrong; i++) {
        struct picked_cells wrong;
        if (!pick_by_value(session, matrix, question->wrong[i].is.text, &wrong, reterr))
            return false;
        if (memcmp(wrong.is_in, given->is_in, sizeof wrong.is_in) == 0)
            judged->foreseen = &question->wrong[i];
        for (size_t k = 0; touched == NULL && k < wrong.n_cells; k++)
            if (wrong.is_in[k] && given->is_in[k] && !right->is_in[k])
                touched = &question->wrong[i];
    }
    if (judged->foreseen == NULL)
        judged->foreseen = touched;
    return true;
}

static void note_cells(const struct picked_cells *given, const struct picked_cells *right,
                       struct judged *judged)
{
    size_t n_given = count(given), n_right = count(right), n_both = 0;
    for (size_t i = 0; i < given->n_cells; i++)
        n_both += given->is_in[i] && right->is_in[i];
    if (n_both == n_given)
        snprintf(judged->note, sizeof judged->note, "That is right, but not all: %zu of %zu.",
                 n_both, n_right);
    else if (n_given > 1 && n_both > 0)
        snprintf(judged->note, sizeof judged->note, "%zu of these %zu cells %s right.", n_both,
                 n_given, n_both == 1 ? "is" : "are");
}

bool question_judge_cell_kind(const struct question *question,
                              const struct question_sessions *sessions, const char *typed,
                              struct judged *judged, struct error *reterr)
{
    struct picked_cells given, right;
    struct node *matrix = cell_matrix(question, sessions->lesson, reterr);
    bool ok = matrix != NULL &&
              read_picked(question, sessions->lesson, matrix, typed, &given, reterr) &&
              pick_by_value(sessions->lesson, matrix, question->answer.text, &right, reterr);
    if (ok && count(&given) == 0)
        ok = error_set(reterr, ERR_SYNTAX, "a cell is expected, such as 0, 1");
    if (ok && count(&right) == 0)
        ok = error_set(reterr, ERR_RANGE, "answer: no cell of the matrix is right");
    judged->right = ok && memcmp(given.is_in, right.is_in, sizeof given.is_in) == 0;
    if (ok && !judged->right) {
        note_cells(&given, &right, judged);
        ok = find_wrong_cell(question, sessions->lesson, matrix, &given, &right, judged, reterr);
    }
    node_free(matrix);
    return ok;
}

bool cell_list_right(const struct question *question, struct session *session,
                     struct question_cells *cells, struct error *reterr)
{
    struct picked_cells right;
    if (!pick_by_value(session, cells->answer, question->answer.text, &right, reterr))
        return false;
    cells->positions = calloc(right.n_cells, sizeof *cells->positions);
    if (cells->positions == NULL)
        return error_memory(reterr, "the cells of a question");
    for (size_t i = 0; i < right.n_cells; i++)
        if (right.is_in[i])
            cells->positions[cells->n++] = i;
    return true;
}

size_t question_count_points(const struct question *question,
                             const struct question_sessions *sessions)
{
    struct picked_cells right;
    struct error ignored;
    struct node *matrix = cell_matrix(question, sessions->lesson, &ignored);
    bool ok = matrix != NULL &&
              pick_by_value(sessions->lesson, matrix, question->answer.text, &right, &ignored);
    node_free(matrix);
    return ok ? count(&right) : 0;
}

bool question_write_cells(const struct question *question, const struct question_sessions *sessions,
                          const char *expression, struct text *out, struct error *reterr)
{
    struct picked_cells picked;
    struct node *matrix = cell_matrix(question, sessions->lesson, reterr);
    bool ok =
        matrix != NULL && pick_by_value(sessions->lesson, matrix, expression, &picked, reterr);
    for (size_t i = 0; ok && i < picked.n_cells; i++) {
        size_t index[TENSOR_MAX_AXES];
        if (!picked.is_in[i])
            continue;
        tensor_index_of(&matrix->value, i, index);
        text_put(out, out->size > 0 ? "; " : "");
        for (unsigned axis = 0; axis < matrix->value.n_axes; axis++)
            text_format(out, "%s%zu", axis > 0 ? ", " : "", index[axis]);
    }
    node_free(matrix);
    return ok && (!out->failed || error_memory(reterr, "an answer"));
}

bool question_tell_cell(const struct question *question, const struct question_sessions *sessions,
                        struct text *out, struct error *reterr)
{
    struct picked_cells right;
    struct node *matrix = cell_matrix(question, sessions->lesson, reterr);
    bool ok = matrix != NULL &&
              pick_by_value(sessions->lesson, matrix, question->answer.text, &right, reterr);
    size_t n = 0;
    for (size_t i = 0; ok && i < right.n_cells; i++)
        if (right.is_in[i]) {
            text_put(out, n++ > 0 ? ", `" : "`");
            node_write_place(matrix, i, out);
            text_char(out, '`');
        }
    node_free(matrix);
    return ok;
}
