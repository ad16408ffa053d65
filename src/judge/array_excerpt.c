/* Arrays as small tables: see array_excerpt.h. */
#include "judge/array_excerpt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/labels.h"
#include "tensor/tensor.h"

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

/* ---- cutting ---- */

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

/* ---- drawing ---- */

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
