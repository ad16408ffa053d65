/* Pictures as flat tables: see grid_internal.h. */
#include "show/grid_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

static unsigned table_axes(const struct tensor *x)
{
    return x->n_axes < 2 ? x->n_axes : 2;
}

/* The labels of an axis; NULL if it has no label, or not one for each position. */
static const struct labels *axis_labels(const struct picture *picture, unsigned axis)
{
    const struct labels *labels = picture->labels != NULL ? picture->labels[axis] : NULL;
    return labels_count(labels) == picture->tensor->shape[axis] ? labels : NULL;
}

/* Where the numbers of table i begin. index receives its place on the axes before the table's. */
static const float *table_data(const struct tensor *x, size_t i, size_t index[TENSOR_MAX_AXES])
{
    return tensor_part(x, x->n_axes - table_axes(x), i, index);
}

size_t grid_width(const struct show_options *options)
{
    return size_max(options->width_cols, GRID_WIDTH_MIN);
}

size_t grid_count(const struct picture *picture)
{
    const struct tensor *x = picture->tensor;
    size_t count = 1;
    for (unsigned axis = 0; axis < x->n_axes - table_axes(x); axis++)
        count *= x->shape[axis];
    return count;
}

size_t grid_count_shown(const struct picture *picture, const struct show_options *options)
{
    size_t n = grid_count(picture);
    return options->full ? n : size_min(n, GRID_COUNT_MAX);
}

struct grid grid_of(const struct picture *picture, size_t i)
{
    const struct tensor *x = picture->tensor, *before = picture->before, *hidden = picture->hidden;
    size_t index[TENSOR_MAX_AXES];
    unsigned n_axes = x->n_axes;
    struct grid grid = {.picture = picture, .n_rows = 1, .n_cols = 1};
    grid.data = table_data(x, i, index);
    if (before != NULL && tensor_same_shape(x, before))
        grid.before = table_data(before, i, index);
    if (hidden != NULL && tensor_same_shape(x, hidden))
        grid.hidden = table_data(hidden, i, index);
    if (n_axes >= 1) {
        grid.n_cols = x->shape[n_axes - 1];
        grid.col_step = x->stride[n_axes - 1];
        grid.before_col_step = grid.before != NULL ? before->stride[n_axes - 1] : 0;
        grid.hidden_col_step = grid.hidden != NULL ? hidden->stride[n_axes - 1] : 0;
        grid.col_labels = axis_labels(picture, n_axes - 1);
    }
    if (n_axes >= 2) {
        grid.n_rows = x->shape[n_axes - 2];
        grid.row_step = x->stride[n_axes - 2];
        grid.before_row_step = grid.before != NULL ? before->stride[n_axes - 2] : 0;
        grid.hidden_row_step = grid.hidden != NULL ? hidden->stride[n_axes - 2] : 0;
        grid.row_labels = axis_labels(picture, n_axes - 2);
    }
    grid.position = i * grid.n_rows * grid.n_cols;
    return grid;
}

float grid_number(const struct grid *grid, size_t row, size_t col)
{
    return grid->data[(ptrdiff_t)row * grid->row_step + (ptrdiff_t)col * grid->col_step];
}

bool grid_is_hidden(const struct grid *grid, size_t row, size_t col)
{
    const float *hidden = grid->hidden;
    if (hidden != NULL)
        hidden += (ptrdiff_t)row * grid->hidden_row_step + (ptrdiff_t)col * grid->hidden_col_step;
    return (hidden != NULL && *hidden != 0) || grid_number(grid, row, col) == -INFINITY;
}

struct span grid_look(const struct grid *grid, size_t row, size_t col)
{
    const float *before = grid->before;
    if (before != NULL)
        before += (ptrdiff_t)row * grid->before_row_step + (ptrdiff_t)col * grid->before_col_step;
    bool changed = before != NULL && number_differs(*before, grid_number(grid, row, col));
    struct span look = {
        .style = changed ? STYLE_CHANGED : STYLE_NUMBER, .front = TINT_NONE, .back = TINT_NONE};
    if (grid->picture->id != 0)
        look.cell = (struct cell_ref){.tensor = grid->picture->id,
                                      .position = grid->position + row * grid->n_cols + col};
    return look;
}

struct elision elision_of(size_t n, size_t most)
{
    if (n <= most)
        return (struct elision){.n = n, .head = n};
    return (struct elision){.n = n, .head = most - most / 2, .tail = most / 2};
}

size_t elision_shown(const struct elision *elision)
{
    return elision->head + elision->tail;
}

size_t elision_at(const struct elision *elision, size_t k)
{
    return k < elision->head ? k : elision->n - elision_shown(elision) + k;
}

bool elision_hides(const struct elision *elision)
{
    return elision_shown(elision) < elision->n;
}

bool elision_gap_before(const struct elision *elision, size_t k)
{
    return k == elision->head && elision_hides(elision);
}

/* The sign for hidden rows and columns: one character, or three in ascii. */
static const char *grid_ellipsis(bool ascii)
{
    return ascii ? "..." : "\xE2\x80\xA6";
}

void elision_note(struct doc *doc, const struct elision *elision, const char *what,
                  const struct show_options *options)
{
    doc_line(doc, STYLE_QUIET, "%s %zu of %zu%s not shown", grid_ellipsis(options->ascii),
             elision->n - elision_shown(elision), elision->n, what);
}

/* Adds one character to heading where it fits into cols_max and the buffer. False when not. */
static bool heading_add(struct heading *heading, size_t *size, const char *bytes,
                        struct text_character character, size_t cols_max)
{
    if (heading->cols + character.cols > cols_max || *size + character.size >= GRID_HEADING_TEXT)
        return false;
    memcpy(heading->text + *size, bytes, character.size);
    *size += character.size;
    heading->text[*size] = '\0';
    heading->cols += character.cols;
    return true;
}

/* Copies as many characters of name as fit into cols_max, '?' for a character that can't be shown.
 * False when some are left over. */
static bool heading_fill(struct heading *heading, const char *name, size_t cols_max, bool ascii)
{
    static const struct text_character question = {.size = 1, .cols = 1};
    size_t size = 0, length = strlen(name);
    heading->cols = 0;
    heading->text[0] = '\0';
    for (size_t at = 0; at < length;) {
        struct text_character character = text_character(name + at, length - at);
        bool shown = character.printable && !(ascii && character.size > 1);
        if (!(shown ? heading_add(heading, &size, name + at, character, cols_max)
                    : heading_add(heading, &size, "?", question, cols_max)))
            return false;
        at += character.size;
    }
    return true;
}

static void heading_cut(struct heading *heading, const char *name, size_t cols_max, bool ascii)
{
    const char *ellipsis = grid_ellipsis(ascii);
    size_t size = strlen(ellipsis), cols = text_width(ellipsis, size);
    heading_fill(heading, name, cols_max - cols, ascii);
    size_t used = strlen(heading->text);
    if (used + size >= GRID_HEADING_TEXT) /* a heap of marks on one letter fills the buffer */
        used = heading->cols = 0;
    memcpy(heading->text + used, ellipsis, size + 1);
    heading->cols += cols;
}

static struct heading heading_of(const struct labels *labels, size_t i,
                                 const struct show_options *options)
{
    struct heading heading = {.style = STYLE_LABEL};
    size_t third = grid_width(options) / 3;
    size_t cols_max = third < GRID_LABEL_COLS ? third : GRID_LABEL_COLS;
    if (labels == NULL)
        return grid_position_heading(i);
    if (!heading_fill(&heading, labels_name(labels, i), cols_max, options->ascii))
        heading_cut(&heading, labels_name(labels, i), cols_max, options->ascii);
    return heading;
}

struct heading grid_row_heading(const struct grid *grid, size_t row,
                                const struct show_options *options)
{
    return heading_of(grid->row_labels, row, options);
}

struct heading grid_col_heading(const struct grid *grid, size_t col,
                                const struct show_options *options)
{
    return heading_of(grid->col_labels, col, options);
}

void grid_cut_heading(struct heading *heading, size_t cols_max)
{
    size_t size = strlen(heading->text), at = 0, cols = 0;
    while (at < size) {
        struct text_character character = text_character(heading->text + at, size - at);
        if (cols + character.cols > cols_max)
            break;
        cols += character.cols;
        at += character.size;
    }
    heading->text[at] = '\0';
    heading->cols = cols;
}

struct heading grid_ellipsis_heading(bool ascii)
{
    struct heading heading = {.style = STYLE_QUIET};
    const char *ellipsis = grid_ellipsis(ascii);
    heading.cols = text_width(ellipsis, strlen(ellipsis));
    memcpy(heading.text, ellipsis, strlen(ellipsis) + 1);
    return heading;
}

struct heading grid_position_heading(size_t i)
{
    struct heading heading = {.style = STYLE_QUIET};
    heading.cols = (size_t)snprintf(heading.text, sizeof heading.text, "%zu", i);
    return heading;
}

void grid_add_name(struct text *text, const char *name, bool ascii)
{
    size_t size = strlen(name);
    for (size_t at = 0; at < size;) {
        size_t length = text_character(name + at, size - at).size;
        bool is_ascii = length == 1 && (unsigned char)name[at] < 0x80;
        text_add(text, ascii && !is_ascii ? "?" : name + at, ascii ? 1 : length);
        at += length;
    }
}

void grid_put_title(struct doc *doc, const char *title, const struct show_options *options)
{
    struct text text = {0};
    grid_add_name(&text, title, options->ascii);
    doc->failed = doc->failed || text.failed;
    doc_put(doc, STYLE_TITLE, text_string(&text), text.size);
    text_release(&text);
}

/* The first columns of a title, as many as leave room for `after` more, and an ellipsis if the
 * title is cut. */
static void cut_title(const char *title, size_t after, const struct show_options *options,
                      struct text *ret)
{
    size_t size = strlen(title), width = grid_width(options), at = 0, cols = 0;
    size_t dots = grid_ellipsis_heading(options->ascii).cols;
    if (text_width(title, size) + after <= width || after + dots >= width) {
        text_add(ret, title, size);
        return;
    }
    while (at < size) {
        struct text_character character = text_character(title + at, size - at);
        if (cols + character.cols + dots + after > width)
            break;
        cols += character.cols;
        at += character.size;
    }
    text_add(ret, title, at);
    text_put(ret, grid_ellipsis(options->ascii));
}

void grid_title(struct doc *doc, const struct picture *picture, const struct show_options *options)
{
    char shape[TENSOR_SHAPE_TEXT];
    struct text title = {0};
    if (picture->title == NULL)
        return;
    tensor_shape_text(picture->tensor, shape);
    cut_title(picture->title, strlen(shape) + 2, options, &title);
    doc->failed = doc->failed || title.failed;
    if (!title.failed)
        grid_put_title(doc, text_string(&title), options);
    doc_add(doc, STYLE_QUIET, "  %s", shape);
    doc_end_line(doc);
    text_release(&title);
}

/* "[0, 1, :, :]" above table i, where a picture has several. */
static void grid_place(struct doc *doc, const struct picture *picture, size_t i,
                       const struct show_options *options)
{
    const struct tensor *x = picture->tensor;
    size_t index[TENSOR_MAX_AXES];
    if (x->n_axes <= 2)
        return;
    table_data(x, i, index);
    doc_put(doc, STYLE_QUIET, "[", 1);
    for (unsigned axis = 0; axis < x->n_axes - 2; axis++) {
        const struct labels *labels = axis_labels(picture, axis);
        struct heading at = heading_of(labels, index[axis], options);
        doc_add(doc, STYLE_QUIET, labels != NULL ? "\"%s\", " : "%s, ", at.text);
    }
    doc_put(doc, STYLE_QUIET, ":, :]", 5);
    doc_end_line(doc);
}

bool grid_show_empty(struct doc *doc, const struct picture *picture)
{
    char shape[TENSOR_SHAPE_TEXT];
    if (tensor_size(picture->tensor) > 0)
        return false;
    doc_put(doc, STYLE_NUMBER, "[]", 2);
    if (picture->title == NULL)
        doc_add(doc, STYLE_QUIET, "  %s", tensor_shape_text(picture->tensor, shape));
    doc_end_line(doc);
    return true;
}

void grid_draw_all(struct doc *doc, const struct picture *picture,
                   const struct show_options *options, grid_draw *draw, const void *style)
{
    struct elision tables = elision_of(grid_count(picture), grid_count_shown(picture, options));
    for (size_t k = 0; k < elision_shown(&tables) && !doc->failed; k++) {
        if (elision_gap_before(&tables, k))
            elision_note(doc, &tables, " tables", options);
        size_t i = elision_at(&tables, k);
        grid_place(doc, picture, i, options);
        struct grid grid = grid_of(picture, i);
        draw(doc, &grid, options, style);
    }
}

bool grid_is_vector(const struct grid *grid)
{
    return grid->picture->tensor->n_axes == 1;
}

bool grid_wants_positions(const struct grid *grid)
{
    return grid->n_rows > GRID_SMALL || grid->n_cols > GRID_SMALL;
}

void grid_pad(struct doc *doc, size_t cols)
{
    static const char spaces[] = "                                ";
    size_t most = sizeof spaces - 1;
    for (; cols > most; cols -= most)
        doc_put(doc, STYLE_PLAIN, spaces, most);
    doc_put(doc, STYLE_PLAIN, spaces, cols);
}

void grid_put_left(struct doc *doc, const struct heading *heading, size_t field_cols)
{
    doc_put(doc, heading->style, heading->text, strlen(heading->text));
    if (field_cols > heading->cols)
        grid_pad(doc, field_cols - heading->cols);
}

void grid_put_right(struct doc *doc, const struct heading *heading, size_t field_cols)
{
    if (field_cols > heading->cols)
        grid_pad(doc, field_cols - heading->cols);
    doc_put(doc, heading->style, heading->text, strlen(heading->text));
}
