/* What a program shows of itself: see shown_internal.h. */
#include "judge/shown_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "show/labels.h"
#include "show/number.h"

/* ---- arrays as small tables ---- */

enum {
    MAX_NAMED = 64,
    MAX_COLS = 12, /* columns of a table, where the width has room for them */
    GAP_COLS = 4,  /* between tables side by side */
    UNBOUND_COLS = 1000,
};

bool array_excerpt_of_numbers(const struct fixture_array *array, const float *numbers,
                              struct array_excerpt *ret, struct error *reterr)
{
    struct array_excerpt excerpt = {.title = ""};
    if (!tensor_from(array->n_axes, array->shape, numbers, &excerpt.tensor, reterr))
        return false;
    *ret = excerpt;
    return true;
}

bool array_excerpt_of_input(const struct fixture_array *array, struct array_excerpt *ret,
                            struct error *reterr)
{
    if (!array->boolean)
        return array_excerpt_of_numbers(array, array->before, ret, reterr);
    const unsigned char *truths = array->before;
    float *numbers = calloc(array->n_cells > 0 ? array->n_cells : 1, sizeof *numbers);
    if (numbers == NULL)
        return error_memory(reterr, "a table");
    for (size_t i = 0; i < array->n_cells; i++)
        numbers[i] = truths[i] != 0;
    bool ok = array_excerpt_of_numbers(array, numbers, ret, reterr);
    if (ok)
        ret->tensor.is_bool = true;
    free(numbers);
    return ok;
}

void array_excerpt_release(struct array_excerpt *excerpt)
{
    tensor_release(&excerpt->tensor);
    tensor_release(&excerpt->marks);
}

/* ---- small tables: cutting ---- */

/* The part of a tensor that is shown: at most two axes, and where they start. */
struct excerpt_cut {
    struct tensor tensor;
    size_t start[2]; /* of each of its axes */
    struct labels *labels[2];
    bool failed; /* an allocation did */
};

/* The table, or the vector, that the focus lies in. */
static struct tensor pick_table(const struct tensor *whole, const size_t *focus)
{
    struct tensor table = tensor_share(whole), inner;
    for (unsigned axis = 0; table.n_axes > 2; axis++) {
        if (!tensor_pick(&table, 0, focus[axis], &inner, NULL))
            break; /* the focus lies inside, so never */
        tensor_release(&table);
        table = inner;
    }
    return table;
}

/* Keeps at most `most` positions of an axis, around the focus. Returns the first one kept. */
static size_t crop(struct tensor *tensor, unsigned axis, size_t focus, size_t most)
{
    size_t n = tensor->shape[axis], start = 0;
    struct tensor kept;
    if (n <= most)
        return 0;
    if (focus > most / 2)
        start = focus - most / 2;
    if (start > n - most)
        start = n - most;
    if (!tensor_slice(tensor, axis, start, most, 1, &kept, NULL))
        return 0;
    tensor_release(tensor);
    *tensor = kept;
    return start;
}

/* The positions start, start + 1, ... as names; *ret is NULL where there are too many to be named.
 */
static bool position_labels(size_t start, size_t count, struct labels **ret)
{
    char texts[MAX_NAMED][24];
    const char *names[MAX_NAMED];
    *ret = NULL;
    if (count > MAX_NAMED)
        return true;
    for (size_t i = 0; i < count; i++) {
        snprintf(texts[i], sizeof texts[i], "%zu", start + i);
        names[i] = texts[i];
    }
    return labels_new(count, names, NULL, ret, NULL);
}

static struct excerpt_cut cut_of(const struct array_excerpt *excerpt, const struct tensor *tensor,
                                 size_t max_rows, size_t max_cols)
{
    struct excerpt_cut cut = {.tensor = pick_table(tensor, excerpt->focus)};
    const size_t *focus = excerpt->focus + (tensor->n_axes - cut.tensor.n_axes);
    for (unsigned axis = 0; axis < cut.tensor.n_axes; axis++) {
        size_t most = axis + 1 < cut.tensor.n_axes ? max_rows : max_cols;
        cut.start[axis] = crop(&cut.tensor, axis, focus[axis], most);
        cut.failed |= !position_labels(cut.start[axis], cut.tensor.shape[axis], &cut.labels[axis]);
    }
    return cut;
}

static void cut_release(struct excerpt_cut *cut)
{
    tensor_release(&cut->tensor);
    for (int axis = 0; axis < 2; axis++)
        labels_free(cut->labels[axis]);
}

/* ---- small tables: drawing ---- */

/* "query[1]  6x4, rows 2 to 7" */
static void draw_title(const struct array_excerpt *excerpt, const struct excerpt_cut *cut,
                       struct doc *doc)
{
    static const char *const names[2][2] = {{"positions", ""}, {"rows", "columns"}};
    char shape[TENSOR_SHAPE_TEXT];
    unsigned n_outer = excerpt->tensor.n_axes - cut->tensor.n_axes;
    doc_add(doc, STYLE_TITLE, "%s", excerpt->title);
    for (unsigned axis = 0; axis < n_outer; axis++)
        doc_add(doc, STYLE_TITLE, "%s%zu%s", axis == 0 ? "[" : ", ", excerpt->focus[axis],
                axis + 1 == n_outer ? "]" : "");
    struct tensor table = pick_table(&excerpt->tensor, excerpt->focus);
    doc_add(doc, STYLE_QUIET, "  %s", tensor_shape_text(&table, shape));
    for (unsigned axis = 0; axis < table.n_axes; axis++)
        if (cut->tensor.shape[axis] < table.shape[axis])
            doc_add(doc, STYLE_QUIET, ", %s %zu to %zu", names[table.n_axes - 1][axis],
                    cut->start[axis], cut->start[axis] + cut->tensor.shape[axis] - 1);
    tensor_release(&table);
    doc_end_line(doc);
}

/* One excerpt with at most so many columns, however wide that is. */
static void draw(const struct array_excerpt *excerpt, size_t max_rows, size_t max_cols,
                 const struct show_options *options, struct doc *doc)
{
    struct show_options wide = *options;
    bool marked = excerpt->marks.storage != NULL;
    struct excerpt_cut cut = cut_of(excerpt, &excerpt->tensor, max_rows, max_cols), marks = {0};
    if (marked)
        marks = cut_of(excerpt, &excerpt->marks, max_rows, max_cols);
    struct picture picture = {
        .tensor = &cut.tensor, .labels = cut.labels, .before = marked ? &marks.tensor : NULL};
    wide.width_cols = UNBOUND_COLS;
    if (excerpt->tensor.n_axes == 0)
        picture.title = excerpt->title;
    else
        draw_title(excerpt, &cut, doc);
    matrix_show(doc, &picture, &wide);
    doc->failed = doc->failed || cut.failed || marks.failed;
    cut_release(&cut);
    cut_release(&marks);
}

/* Draws an excerpt with as many columns as fit the width. */
static void draw_fitting(const struct array_excerpt *excerpt, size_t max_rows,
                         const struct show_options *options, struct doc *doc)
{
    for (size_t cols = MAX_COLS; cols > 0; cols--) {
        doc_clear(doc);
        draw(excerpt, max_rows, cols, options, doc);
        if (doc->failed || doc_width(doc) <= options->width_cols)
            return;
    }
}

/* A row of tables that grows to the right. */
struct table_row {
    struct doc *row, *spare;
    struct doc docs[2];
};

static void table_row_empty(struct table_row *tables, struct doc *doc)
{
    doc_append(doc, tables->row, 0);
    doc_clear(tables->row);
}

static void table_row_put(struct table_row *tables, const struct doc *table)
{
    if (tables->row->n_lines == 0) {
        doc_append(tables->row, table, 0);
        return;
    }
    struct doc *old = tables->row;
    doc_clear(tables->spare);
    doc_append_beside(tables->spare, old, table, GAP_COLS);
    tables->row = tables->spare;
    tables->spare = old;
}

void array_excerpts_show(const struct array_excerpt *excerpts, size_t n, size_t max_rows,
                         const struct show_options *options, struct doc *doc)
{
    struct table_row tables;
    struct doc table;
    doc_init(&tables.docs[0]);
    doc_init(&tables.docs[1]);
    tables.row = &tables.docs[0];
    tables.spare = &tables.docs[1];
    doc_init(&table);
    for (size_t i = 0; i < n; i++) {
        draw_fitting(&excerpts[i], max_rows, options, &table);
        size_t used = doc_width(tables.row);
        if (used > 0 && used + GAP_COLS + doc_width(&table) > options->width_cols)
            table_row_empty(&tables, doc);
        table_row_put(&tables, &table);
        doc->failed = doc->failed || table.failed;
    }
    table_row_empty(&tables, doc);
    doc_release(&table);
    doc_release(&tables.docs[0]);
    doc_release(&tables.docs[1]);
}

/* ---- what a program shows ---- */

enum { SHOWN_ROWS = 12 /* of a table */ };

void shown_release(struct shown *shown)
{
    free(shown->kept);
    *shown = (struct shown){.kept = NULL};
}

/* ---- what a program shows: out of the box ---- */

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

/* ---- what a program shows: attn's own ---- */

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
 * numbers are NULL if attn has no such value. */
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

/* ---- what a program shows: as tables ---- */

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
        show_note(doc, matrix, place, "%" PRIu64 "x%" PRIu64 " numbers do not fit in memory",
                  matrix->rows, matrix->cols);
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
        doc_line(doc, STYLE_QUIET, "  No SHOW runs in this case.");
    if (shown->kept->n > shown->n)
        doc_line(doc, STYLE_QUIET, "  (and more: the first %d are kept)", WIRE_SHOWN_MAX);
    if (shown->ended)
        doc_line(doc, STYLE_QUIET, "  The program ended after that.");
}
