/* What a program shows of itself: see shown.h. */
#include "judge/shown.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "judge/array_excerpt.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum { SHOWN_ROWS = 12 /* of a table */ };

void shown_release(struct shown *shown)
{
    free(shown->kept);
    *shown = (struct shown){.kept = NULL};
}

/* ---- out of the box ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A name of C that has its NUL; all else becomes "". */
static void check_name(char name[WIRE_SHOWN_NAME])
{
    size_t size = 0;
    while (size < WIRE_SHOWN_NAME &&
           (is_letter(name[size]) || (size > 0 && text_is_digit(name[size]))))
        size++;
    bool ok = size > 0 && size < WIRE_SHOWN_NAME && name[size] == '\0';
    memset(name + (ok ? size : 0), 0, WIRE_SHOWN_NAME - (ok ? size : 0));
}

static void check_matrix(struct wire_shown_matrix *matrix)
{
    check_name(matrix->name);
    if (matrix->state > WIRE_SHOWN_TOO_LARGE)
        matrix->state = WIRE_SHOWN_BEGUN;
    if (matrix->axes > 2)
        matrix->axes = 2;
    if (matrix->axes < 2)
        matrix->rows = 1;
    if (matrix->axes < 1)
        matrix->cols = 1;
}

bool shown_take(const volatile struct wire_shown *from, struct shown *ret)
{
    struct wire_shown *kept = malloc(sizeof *kept);
    if (kept == NULL)
        return false;
    unsigned char *to = (unsigned char *)kept;
    for (size_t i = 0; i < sizeof *kept; i++)
        to[i] = ((const volatile unsigned char *)from)[i];
    *ret = (struct shown){.kept = kept,
                          .n = kept->n < WIRE_SHOWN_MAX ? (size_t)kept->n : WIRE_SHOWN_MAX};
    for (size_t i = 0; i < ret->n; i++)
        check_matrix(&kept->items[i]);
    return true;
}

void shown_run(const struct runner_plan *plan, const struct fixture *fixture, struct shown *ret)
{
    struct runner_plan showing = *plan;
    struct runner *runner;
    struct runner_outcome outcome;
    struct answer answer;
    *ret = (struct shown){.kept = NULL};
    showing.shows = true;
    runner_plan_fit(&showing, fixture);
    if (!answer_init(fixture, &answer, NULL))
        return;
    if (runner_start(&showing, fixture->exercise, &runner, NULL)) {
        runner_call(runner, fixture, true, &answer, &outcome);
        if (shown_take(runner_shown(runner), ret))
            ret->ended = !outcome.alive;
        runner_stop(runner);
    }
    answer_release(&answer);
}

/* ---- what attn has ---- */

static size_t fewer(uint64_t n)
{
    return n < WIRE_SHOWN_SIDE ? (size_t)n : WIRE_SHOWN_SIDE;
}

/* The tensor as rows and columns, as a function in C holds it: its last axis, and all others. */
static void sides_of(const struct tensor *tensor, size_t *ret_rows, size_t *ret_cols)
{
    size_t cols = tensor->n_axes > 0 ? tensor->shape[tensor->n_axes - 1] : 1;
    *ret_cols = cols;
    *ret_rows = cols > 0 ? tensor_size(tensor) / cols : 0;
}

/* A row may stand for a column of the same length, and the other way round. */
static bool has_shape(const struct tensor *tensor, const struct wire_shown_matrix *matrix)
{
    size_t rows, cols, size = tensor_size(tensor);
    sides_of(tensor, &rows, &cols);
    if (matrix->axes < 2)
        return size == matrix->cols && (rows == 1 || cols == 1);
    return rows == matrix->rows && cols == matrix->cols;
}

/* attn's numbers at the places that were kept; false without memory. */
static bool take_kept(const struct tensor *tensor, const struct wire_shown_matrix *matrix,
                      float **ret)
{
    size_t size = tensor_size(tensor), rows = fewer(matrix->rows), cols = fewer(matrix->cols);
    size_t step = (size_t)matrix->cols;
    float *all = malloc((size > 0 ? size : 1) * sizeof *all);
    if (all == NULL)
        return false;
    tensor_read(tensor, all);
    for (size_t i = 0; i < rows; i++)
        memmove(all + i * cols, all + i * step, cols * sizeof *all);
    *ret = all;
    return true;
}

static double largest(const float *numbers, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(numbers[i]))
            most = fmax(most, fabs((double)numbers[i]));
    return most;
}

/* So near that an honest way to compute it explains it; an infinity is like itself, NaN like NaN.
 */
static bool is_alike(float mine, float theirs, double allowed)
{
    if (isnan(mine) || isnan(theirs))
        return isnan(mine) && isnan(theirs);
    return mine == theirs || fabs((double)mine - (double)theirs) <= allowed;
}

static bool are_alike(const struct fixture *fixture, const float *mine, const float *theirs,
                      size_t n)
{
    const struct exercise_tolerance *tolerance = &fixture->exercise->tolerance;
    double allowed = tolerance->absolute + 10 * tolerance->relative * largest(mine, n);
    bool alike = true;
    for (size_t i = 0; i < n && alike; i++)
        alike = is_alike(mine[i], theirs[i], allowed);
    return alike;
}

/* Numbers that are all the same say nothing of where they come from. */
static bool tells_apart(const float *numbers, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (numbers[i] != numbers[0])
            return true;
    return false;
}

/* One of attn's values: its name, and its numbers where they were kept. */
struct own {
    const char *name;
    float *numbers; /* to be freed */
    bool alike;     /* they are the program's */
};

static bool is_number(const struct variable *variable, const struct wire_shown_matrix *matrix)
{
    return variable->value.kind == VALUE_NODE && has_shape(&variable->value.as.node->value, matrix);
}

/* attn's value of the same name; else one with the same numbers, the last that it computed. Its
 * numbers are NULL where there is none. */
static struct own find_own(const struct wire_shown_matrix *matrix, const struct fixture *fixture)
{
    const struct names *names = &fixture->session->names;
    size_t n = fewer(matrix->rows) * fewer(matrix->cols);
    struct own found = {.name = ""};
    for (size_t i = names->n_variables; i-- > 0;) {
        const struct variable *variable = &names->variables[i];
        struct own own = {.name = variable->name};
        if (!is_number(variable, matrix) ||
            !take_kept(&variable->value.as.node->value, matrix, &own.numbers))
            continue;
        bool same_name = strcmp(variable->name, matrix->name) == 0;
        own.alike = are_alike(fixture, own.numbers, matrix->cells, n);
        bool counts = own.alike && found.numbers == NULL && tells_apart(own.numbers, n);
        if (same_name || counts) {
            free(found.numbers);
            found = own;
        } else {
            free(own.numbers);
        }
        if (same_name)
            break;
    }
    return found;
}

/* ---- showing ---- */

static void write_title(const struct wire_shown_matrix *matrix, size_t place, const char *ending,
                        char title[64])
{
    if (matrix->name[0] != '\0')
        snprintf(title, 64, "%.40s%s", matrix->name, ending);
    else
        snprintf(title, 64, "SHOW %zu%s", place + 1, ending);
}

/* "scores: 3 of 12 numbers are other than attn's", or what is not shown of it. */
static void show_note(struct doc *doc, const struct wire_shown_matrix *matrix, size_t place,
                      const char *format, ...) ERROR_FORMAT(4, 5);

static void show_note(struct doc *doc, const struct wire_shown_matrix *matrix, size_t place,
                      const char *format, ...)
{
    char title[64], words[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    write_title(matrix, place, "", title);
    doc_add(doc, STYLE_NAME, "  %s", title);
    doc_add(doc, STYLE_QUIET, ": %s", words);
    doc_end_line(doc);
}

static bool make_excerpt(const struct wire_shown_matrix *matrix, const float *numbers,
                         struct array_excerpt *ret)
{
    const size_t shape[] = {fewer(matrix->rows), fewer(matrix->cols)};
    bool is_row = matrix->axes < 2;
    return tensor_from(is_row ? 1 : 2, is_row ? shape + 1 : shape, numbers, &ret->tensor, NULL);
}

/* Marks what differs from attn's, but not what differs by rounding. Returns how many do. */
static size_t mark(const struct wire_shown_matrix *matrix, const struct fixture *fixture,
                   const struct own *own, struct array_excerpt *theirs)
{
    const struct exercise_tolerance *tolerance = &fixture->exercise->tolerance;
    size_t n = fewer(matrix->rows) * fewer(matrix->cols), n_different = 0;
    double allowed = tolerance->absolute + 10 * tolerance->relative * largest(own->numbers, n);
    float *numbers = malloc((n > 0 ? n : 1) * sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < n; i++) {
        bool alike = is_alike(own->numbers[i], matrix->cells[i], allowed);
        numbers[i] = alike ? matrix->cells[i] : own->numbers[i];
        if (!alike && n_different++ == 0 && matrix->axes == 2) {
            theirs->focus[0] = i / fewer(matrix->cols);
            theirs->focus[1] = i % fewer(matrix->cols);
        } else if (!alike && n_different == 1) {
            theirs->focus[0] = i;
        }
    }
    struct array_excerpt marks = {.title = ""};
    if (numbers != NULL && make_excerpt(matrix, numbers, &marks))
        theirs->marks = marks.tensor;
    free(numbers);
    return n_different;
}

static void show_beside(const struct wire_shown_matrix *matrix, size_t place, const struct own *own,
                        const struct fixture *fixture, const struct show_options *options,
                        struct doc *doc)
{
    struct array_excerpt pair[2] = {{.title = ""}, {.title = ""}};
    if (make_excerpt(matrix, own->numbers, &pair[0]) &&
        make_excerpt(matrix, matrix->cells, &pair[1])) {
        size_t n_different = mark(matrix, fixture, own, &pair[1]);
        memcpy(pair[0].focus, pair[1].focus, sizeof pair[0].focus);
        snprintf(pair[0].title, sizeof pair[0].title, "%.40s, attn's", own->name);
        write_title(matrix, place, ", yours", pair[1].title);
        show_note(doc, matrix, place, "%zu %s other than attn's", n_different,
                  n_different == 1 ? "number is" : "numbers are");
        array_excerpts_show(pair, 2, SHOWN_ROWS, options, doc);
    }
    array_excerpt_release(&pair[0]);
    array_excerpt_release(&pair[1]);
}

/* attn has no such numbers; may be because its value of that name has another shape. */
static void show_stranger(const struct wire_shown_matrix *matrix, size_t place,
                          const struct fixture *fixture, struct doc *doc)
{
    const struct value *value =
        names_get(&fixture->session->names, matrix->name, strlen(matrix->name));
    char shape[TENSOR_SHAPE_TEXT];
    if (value != NULL && value->kind == VALUE_NODE && !has_shape(&value->as.node->value, matrix))
        show_note(doc, matrix, place, "attn's is %s",
                  tensor_shape_text(&value->as.node->value, shape));
    else
        show_note(doc, matrix, place, "attn has no such numbers here");
}

static void show_alone(const struct wire_shown_matrix *matrix, size_t place, const struct own *own,
                       const struct fixture *fixture, const struct show_options *options,
                       struct doc *doc)
{
    struct array_excerpt excerpt = {.title = ""};
    if (!make_excerpt(matrix, matrix->cells, &excerpt))
        return;
    write_title(matrix, place, "", excerpt.title);
    if (own->numbers == NULL)
        show_stranger(matrix, place, fixture, doc);
    else if (strcmp(own->name, matrix->name) == 0)
        show_note(doc, matrix, place, "the same as attn's");
    else
        show_note(doc, matrix, place, "the numbers of attn's %.40s", own->name);
    array_excerpts_show(&excerpt, 1, SHOWN_ROWS, options, doc);
    array_excerpt_release(&excerpt);
}

static void show_number(const struct wire_shown_matrix *matrix, size_t place, const struct own *own,
                        const struct show_options *options, struct doc *doc)
{
    char theirs[NUMBER_TEXT], mine[NUMBER_TEXT] = "";
    number_short(matrix->cells[0], options->digits, theirs);
    if (own->numbers != NULL)
        number_short(own->numbers[0], options->digits, mine);
    if (own->numbers == NULL)
        show_note(doc, matrix, place, "%s", theirs);
    else if (own->alike)
        show_note(doc, matrix, place, "%s, as attn's %.40s", theirs, own->name);
    else
        show_note(doc, matrix, place, "%s; attn's is %s", theirs, mine);
}

static void show_numbers(const struct wire_shown_matrix *matrix, size_t place,
                         const struct fixture *fixture, const struct show_options *options,
                         struct doc *doc)
{
    struct own own = find_own(matrix, fixture);
    if (matrix->rows == 1 && matrix->cols == 1 && matrix->axes == 0)
        show_number(matrix, place, &own, options, doc);
    else if (own.numbers != NULL && !own.alike)
        show_beside(matrix, place, &own, fixture, options, doc);
    else
        show_alone(matrix, place, &own, fixture, options, doc);
    free(own.numbers);
    if (matrix->rows > WIRE_SHOWN_SIDE || matrix->cols > WIRE_SHOWN_SIDE)
        show_note(doc, matrix, place, "these are the first of %" PRIu64 "x%" PRIu64, matrix->rows,
                  matrix->cols);
}

static void show_matrix(const struct wire_shown_matrix *matrix, size_t place,
                        const struct fixture *fixture, const struct show_options *options,
                        struct doc *doc)
{
    switch (matrix->state) {
    case WIRE_SHOWN_WHOLE:
        if (matrix->rows > 0 && matrix->cols > 0)
            show_numbers(matrix, place, fixture, options, doc);
        else
            show_note(doc, matrix, place, "there are no numbers in it");
        return;
    case WIRE_SHOWN_NULL:
        show_note(doc, matrix, place, "it is NULL");
        return;
    case WIRE_SHOWN_TOO_LARGE:
        show_note(doc, matrix, place, "%" PRIu64 "x%" PRIu64 " numbers fit no memory", matrix->rows,
                  matrix->cols);
        return;
    default:
        show_note(doc, matrix, place,
                  "the program ended while its numbers were read: "
                  "are they %" PRIu64 "x%" PRIu64 "?",
                  matrix->rows, matrix->cols);
    }
}

void shown_show(const struct shown *shown, const struct fixture *fixture,
                const struct show_options *options, struct doc *doc)
{
    if (shown->kept == NULL)
        return;
    doc_line(doc, STYLE_TITLE, "What you SHOW, in \"%s\":", fixture->name);
    for (size_t i = 0; i < shown->n; i++)
        show_matrix(&shown->kept->items[i], i, fixture, options, doc);
    if (shown->n == 0)
        doc_line(doc, STYLE_QUIET, "  This case comes by no SHOW.");
    if (shown->kept->n > shown->n)
        doc_line(doc, STYLE_QUIET, "  (and more: the first %d are kept)", WIRE_SHOWN_MAX);
    if (shown->ended)
        doc_line(doc, STYLE_QUIET, "  The program ended after that.");
}
