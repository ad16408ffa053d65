/* See picture.h. */
#include "ui/panes/picture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "graph/trace.h"
#include "commands/command.h"
#include "show/tsv.h"
#include "ui/terminal/scroll.h"

enum {
    MARGIN_COLS = 1,
    EDGE_COLS = 2, /* a blank and the scroll bar, right of the picture */
    FOOT_ROWS = 1, /* the number under the cursor */
    MIN_COLS = 20,
};

static const struct binding picture_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "why", "opens the arithmetic of the number under the cursor"},
    {KEYCODE_UP, REQ_UP, NULL, "goes to the number above, or scrolls"},
    {KEYCODE_DOWN, REQ_DOWN, NULL, "goes to the number below, or scrolls"},
    {KEYCODE_LEFT, REQ_LEFT, NULL, "goes to the number before"},
    {KEYCODE_RIGHT, REQ_RIGHT, NULL, "goes to the next number"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up by a screen"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "scrolls down by a screen"},
    {KEYCODE_HOME, REQ_TOP, NULL, "goes to the first number"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "goes to the last number"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

void picture_init(struct picture_pane *pane, const struct settings *settings,
                  const volatile sig_atomic_t *stop)
{
    *pane = (struct picture_pane){.doc_cols = 0};
    doc_init(&pane->doc);
    session_init(&pane->session, command_find, settings, NULL, stop);
}

static void release(void *state)
{
    struct picture_pane *pane = state;
    session_release(&pane->session);
    doc_release(&pane->doc);
    pane_request_release(&pane->request);
}

bool picture_is_empty(const struct picture_pane *pane)
{
    return pane->session.drawing.n == 0;
}

/* ---- the cursor ---- */

/* The first number of a line from column `from` on. False where there is none. */
static bool find_in_line(const struct doc *doc, size_t line, size_t from, struct cell_ref *ret,
                         size_t *ret_col)
{
    const struct span *spans;
    size_t n = doc_line_spans(doc, line, &spans), col = 0;
    for (size_t i = 0; i < n; i++) {
        if (spans[i].cell.tensor != 0 && col >= from) {
            *ret = spans[i].cell;
            *ret_col = col;
            return true;
        }
        col += text_width(doc->text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
    }
    return false;
}

/* The number of a line whose column is nearest to `near`. */
static bool find_near(const struct doc *doc, size_t line, size_t near, struct cell_ref *ret,
                      size_t *ret_col)
{
    struct cell_ref cell;
    bool found = false;
    for (size_t from = 0, col; find_in_line(doc, line, from, &cell, &col); from = col + 1) {
        if (found && col > near && col - near >= (near > *ret_col ? near - *ret_col : 0))
            break;
        *ret = cell;
        *ret_col = col;
        found = true;
    }
    return found;
}

static bool same_cell(struct cell_ref a, struct cell_ref b)
{
    return a.tensor == b.tensor && a.position == b.position;
}

static size_t seen_rows(const struct picture_pane *pane)
{
    return pane->rows > FOOT_ROWS ? (size_t)(pane->rows - FOOT_ROWS) : 1;
}

/* How many lines of the picture, from `line` up or down, show the same number as `line` does. */
static size_t count_lines_of(const struct doc *doc, size_t line, struct cell_ref cell, bool down)
{
    size_t n = 0, col, end, last = down ? doc->n_lines - 1 : 0;
    while (line != last) {
        line += down ? 1 : (size_t)-1;
        if (!doc_find_cell_in_line(doc, line, cell, &col, &end))
            break;
        n++;
    }
    return n;
}

/* Onto a number; a large cell has it on the middle one of its lines. */
static void go_to(struct picture_pane *pane, size_t line, size_t col, struct cell_ref cell)
{
    size_t above = count_lines_of(&pane->doc, line, cell, false), end;
    size_t below = count_lines_of(&pane->doc, line, cell, true), middle = (above + below) / 2;
    pane->line = line - above + middle;
    pane->col = col;
    if (pane->line != line)
        (void)doc_find_cell_in_line(&pane->doc, pane->line, cell, &pane->col, &end);
    pane->at = cell;
    pane->scroll = scroll_into_view(pane->scroll, pane->line, seen_rows(pane), pane->doc.n_lines);
}

/* The next line with a number, down or up. A bar's number may stand twice: the same one is passed
 * over. */
static bool step_line(struct picture_pane *pane, bool down)
{
    struct cell_ref cell;
    size_t col;
    for (size_t line = pane->line; down ? line + 1 < pane->doc.n_lines : line > 0;) {
        line += down ? 1 : (size_t)-1;
        if (find_near(&pane->doc, line, pane->col, &cell, &col) && !same_cell(cell, pane->at)) {
            go_to(pane, line, col, cell);
            return true;
        }
    }
    return false;
}

static bool step_col(struct picture_pane *pane, bool right)
{
    struct cell_ref cell, best = {0};
    size_t best_col = 0;
    bool found = false;
    for (size_t from = 0, col; find_in_line(&pane->doc, pane->line, from, &cell, &col);
         from = col + 1) {
        if (same_cell(cell, pane->at))
            continue;
        if (right && col > pane->col) {
            go_to(pane, pane->line, col, cell);
            return true;
        }
        if (!right && col < pane->col) {
            best = cell;
            best_col = col;
            found = true;
        }
    }
    if (found)
        go_to(pane, pane->line, best_col, best);
    return found;
}

/* Onto the first number, or the last line with one. */
static void go_to_end(struct picture_pane *pane, bool last)
{
    struct cell_ref cell;
    size_t col;
    for (size_t i = 0; i < pane->doc.n_lines; i++) {
        size_t line = last ? pane->doc.n_lines - 1 - i : i;
        if (find_in_line(&pane->doc, line, 0, &cell, &col)) {
            go_to(pane, line, col, cell);
            if (!last)
                pane->scroll = 0;
            return;
        }
    }
    pane->at = (struct cell_ref){0};
    pane->line = pane->col = 0;
    pane->scroll =
        last && pane->doc.n_lines > seen_rows(pane) ? pane->doc.n_lines - seen_rows(pane) : 0;
}

/* After the picture was laid out anew: onto the number it was on. */
static void find_cursor(struct picture_pane *pane)
{
    size_t line, col, end;
    if (pane->at.tensor != 0 && doc_find_cell(&pane->doc, pane->at, &line, &col, &end))
        go_to(pane, line, col, pane->at);
    else
        go_to_end(pane, false);
}

/* ---- the picture ---- */

static void draw_again(struct picture_pane *pane, size_t extra_lines)
{
    int cols = pane->cols - MARGIN_COLS - EDGE_COLS;
    size_t width = cols > MIN_COLS ? (size_t)cols : MIN_COLS;
    struct error error;
    doc_clear(&pane->doc);
    if (!session_draw_again(&pane->session, width, extra_lines, &pane->doc, &error))
        doc_wrap(&pane->doc, STYLE_BAD, error.text, width, 0);
}

/* Draws it in its usual size, and then larger where that leaves rows of the pane free. */
static void lay_out(struct picture_pane *pane)
{
    if ((pane->doc_cols == pane->cols && pane->doc_rows == pane->rows) || pane->cols <= 0)
        return;
    bool is_new = pane->doc_cols != pane->cols;
    pane->doc_cols = pane->cols;
    pane->doc_rows = pane->rows;
    if (picture_is_empty(pane)) {
        doc_clear(&pane->doc);
        return;
    }
    size_t rows = seen_rows(pane);
    if (is_new || pane->doc.n_lines > rows || pane->n_usual >= rows) {
        draw_again(pane, 0);
        pane->n_usual = pane->doc.n_lines;
    }
    if (pane->n_usual < rows)
        draw_again(pane, rows - pane->n_usual);
    if (pane->doc.n_lines > rows && pane->n_usual < rows)
        draw_again(pane, 0);
    find_cursor(pane);
}

bool picture_show(struct picture_pane *pane, const struct last_drawing *drawing,
                  struct error *reterr)
{
    struct last_drawing copy = *drawing;
    copy.source = (struct text){0};
    copy.n = 0;
    text_add(&copy.source, drawing->source.bytes, drawing->source.size);
    if (copy.source.failed) {
        drawing_release(&copy);
        return error_memory(reterr, "the picture");
    }
    for (; copy.n < drawing->n; copy.n++)
        copy.nodes[copy.n] = node_share(drawing->nodes[copy.n]);
    picture_clear(pane);
    pane->session.drawing = copy;
    lay_out(pane);
    return true;
}

void picture_clear(struct picture_pane *pane)
{
    drawing_release(&pane->session.drawing);
    doc_clear(&pane->doc);
    pane->doc_cols = 0;
    pane->scroll = pane->line = pane->col = 0;
    pane->at = (struct cell_ref){0};
}

/* The tensor with that id among those that were drawn and those that they were made from. */
static struct node *find_node(const struct last_drawing *drawing, uint64_t id)
{
    struct node *found = NULL;
    struct trace_stage *stages;
    struct error error;
    size_t n;
    for (size_t i = 0; i < drawing->n && found == NULL; i++) {
        if (drawing->nodes[i]->id == id)
            return drawing->nodes[i];
        if (drawing->nodes[i]->id < id || !trace_stages(drawing->nodes[i], &stages, &n, &error))
            continue;
        for (size_t j = 0; j < n; j++)
            if (stages[j].node->id == id)
                found = stages[j].node;
        free(stages);
    }
    return found;
}

struct cell picture_cell(const struct picture_pane *pane)
{
    struct node *node =
        pane->at.tensor != 0 ? find_node(&pane->session.drawing, pane->at.tensor) : NULL;
    if (node == NULL)
        return (struct cell){.node = NULL};
    return (struct cell){.node = node_share(node), .position = pane->at.position};
}

/* ---- the operations of a pane ---- */

static void resize(void *state, int rows, int cols)
{
    struct picture_pane *pane = state;
    pane->rows = rows;
    pane->cols = cols;
    lay_out(pane);
    if (pane->at.tensor != 0)
        pane->scroll =
            scroll_into_view(pane->scroll, pane->line, seen_rows(pane), pane->doc.n_lines);
}

static void scroll_by(struct picture_pane *pane, ptrdiff_t lines)
{
    size_t n = pane->doc.n_lines, seen = seen_rows(pane);
    pane->scroll = n > seen ? scroll_step(pane->scroll, lines, n - seen + 1) : 0;
}

static void wheel(void *state, int steps)
{
    scroll_by(state, steps);
}

static bool request_of(void *state, enum request request, int key)
{
    struct picture_pane *pane = state;
    ptrdiff_t page = (ptrdiff_t)seen_rows(pane);
    (void)key;
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        if (!step_line(pane, request == REQ_DOWN))
            scroll_by(pane, request == REQ_DOWN ? 1 : -1);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
        (void)step_col(pane, request == REQ_RIGHT);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        scroll_by(pane, request == REQ_PAGE_DOWN ? page : -page);
        return true;
    case REQ_TOP:
    case REQ_BOTTOM:
        go_to_end(pane, request == REQ_BOTTOM);
        return true;
    case REQ_OPEN:
        if (pane->at.tensor == 0)
            return false;
        pane_request_set(&pane->request, PANE_OPEN_NUMBER, "");
        return true;
    default:
        return false;
    }
}

static bool click(void *state, struct area area, int row, int col, bool is_double)
{
    struct picture_pane *pane = state;
    struct cell_ref cell;
    size_t line = pane->scroll + (size_t)row, at;
    col -= MARGIN_COLS;
    if (col < 0 || row >= area.rows - FOOT_ROWS || line >= pane->doc.n_lines ||
        !doc_cell_at(&pane->doc, line, (size_t)col, &cell) ||
        !find_near(&pane->doc, line, (size_t)col, &cell, &at))
        return false;
    (void)doc_cell_at(&pane->doc, line, (size_t)col, &cell);
    go_to(pane, line, at, cell);
    if (is_double)
        pane_request_set(&pane->request, PANE_OPEN_NUMBER, "");
    return true;
}

/* The number under the cursor: weights["it", "cat"] = 0.31; and what Enter does, where it fits. */
static void draw_foot(const struct picture_pane *pane, struct area line)
{
    struct text text = {0};
    struct cell cell = picture_cell(pane);
    if (cell.node == NULL)
        return;
    drawing_write_cell(&pane->session.drawing, cell, &text);
    text_format(&text, " = %.4g", (double)tensor_at_position(&cell.node->value, cell.position));
    int col = area_text(line, 0, 0, look_of(STYLE_NAME), text_string(&text));
    static const char hint[] = "   Enter: why";
    if (col + (int)strlen(hint) <= line.cols)
        area_text(line, 0, col, look_of(STYLE_QUIET), hint);
    text_release(&text);
    node_free(cell.node);
}

/* Reversed; on the colours of a heatmap, where that would look like another number, in brackets. */
static void draw_cursor(const struct picture_pane *pane, struct area body, int cols)
{
    const struct doc *doc = &pane->doc;
    const struct last_drawing *drawing = &pane->session.drawing;
    bool is_heat = !drawing->is_matrix && drawing->source.size > 4 &&
                   memcmp(drawing->source.bytes, "heat", 4) == 0;
    int row = (int)(pane->line - pane->scroll), col = (int)pane->col;
    int above = (int)count_lines_of(doc, pane->line, pane->at, false);
    int below = (int)count_lines_of(doc, pane->line, pane->at, true);
    if (is_heat && above + below > 0)
        area_bracket_block(body, row - above, col, above + 1 + below, cols, MARK_BOLD);
    else if (is_heat)
        area_bracket(body, row, col, cols, MARK_BOLD);
    else
        area_mark(body, row, col, cols, MARK_REVERSE);
}

static void draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct picture_pane *pane = state;
    size_t col, end;
    if (area.rows <= 0 || area.cols <= MARGIN_COLS + EDGE_COLS)
        return;
    /* Without the keys, a picture that is higher than the pane has the foot's row too. */
    bool has_foot = focused || pane->doc.n_lines < (size_t)area.rows;
    struct area body = area_part(area, 0, MARGIN_COLS, area.rows - (has_foot ? FOOT_ROWS : 0),
                                 area.cols - MARGIN_COLS - EDGE_COLS);
    area_doc(body, &pane->doc, pane->scroll, 0);
    if (focused && pane->at.tensor != 0 && pane->line >= pane->scroll &&
        doc_find_cell_in_line(&pane->doc, pane->line, pane->at, &col, &end))
        draw_cursor(pane, body, (int)(end - col));
    scroll_bar_draw(area_part(area, 0, 0, body.rows, area.cols), pane->scroll, pane->doc.n_lines,
                    ascii);
    if (has_foot)
        draw_foot(pane, area_part(area, area.rows - 1, MARGIN_COLS, 1, area.cols - MARGIN_COLS));
}

static void draw_bare(const void *state, struct area area, bool ascii)
{
    const struct picture_pane *pane = state;
    (void)ascii;
    area_doc(area, &pane->doc, 0, 0);
}

static int rows_wanted(void *state, int cols)
{
    struct picture_pane *pane = state;
    pane->cols = cols; /* it would be drawn for */
    lay_out(pane);
    return picture_is_empty(pane) ? 0 : (int)pane->n_usual + FOOT_ROWS;
}

static int write_title(const void *state, struct text *title)
{
    const struct picture_pane *pane = state;
    text_put(title, "Picture");
    if (!picture_is_empty(pane))
        text_format(title, "   %s", text_string(&pane->session.drawing.source));
    return -1;
}

static bool take_request(void *state, struct pane_request *ret)
{
    struct picture_pane *pane = state;
    return pane_request_take(&pane->request, ret);
}

static bool copy(const void *state, bool table, struct text *ret, struct text *what)
{
    struct cell cell = picture_cell(state);
    if (cell.node == NULL)
        return false;
    const struct picture picture = {.tensor = &cell.node->value, .labels = cell.node->labels};
    picture_copy(&picture, cell.position, table, ret, what);
    node_free(cell.node);
    return true;
}

const struct pane_ops picture_ops = {
    .title = "Picture",
    .bindings = picture_bindings,
    .request = request_of,
    .click = click,
    .wheel = wheel,
    .resize = resize,
    .draw = draw,
    .draw_bare = draw_bare,
    .rows_wanted = rows_wanted,
    .write_title = write_title,
    .copy = copy,
    .take_request = take_request,
    .release = release,
};
