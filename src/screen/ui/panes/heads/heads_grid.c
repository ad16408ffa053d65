/* The grid of thumbnails: a row for each layer, or the heads in their order; where each stands. */
#include "ui/panes/heads/heads_pane_internal.h"

#include "base/size.h"
#include "model/model.h"
#include "model/run.h"
#include "ui/panes/heads/heads_places.h"
#include "ui/terminal/scroll.h"

enum {
    LISTED_COLS = 11, /* of a thumbnail in their order: "L11H11 0.93" stands above it */
    LISTED_LINES = 4,
};

/* What the thumbnails show. */
static struct heads_of heads_of_pane(const struct heads_pane *pane)
{
    return (struct heads_of){.run = pane->run, .other = pane->other, .alignment = &pane->alignment};
}

/* ---- which head stands where ---- */

/* The rows of the whole grid, and the heads in each. */
static size_t n_rows(const struct heads_pane *pane)
{
    size_t n = heads_count(pane), each = pane->layout.n_heads;
    return pane->ranking.is_sorted ? (n + each - 1) / each : pane->run->model->config.n_layers;
}

static size_t n_cols(const struct heads_pane *pane)
{
    return pane->ranking.is_sorted ? pane->layout.n_heads : pane->run->model->config.n_heads;
}

/* The place of a head, counted row by row. */
static size_t place_of(const struct heads_pane *pane, size_t head)
{
    return pane->ranking.is_sorted ? pane->ranking.places[head] : head;
}

static size_t head_at(const struct heads_pane *pane, size_t place)
{
    return pane->ranking.is_sorted ? pane->ranking.order[place] : place;
}

/* ---- laying out ---- */

/* In their order, each with its name above it: as large as all of them fit, else in their least
 * size. */
static struct heads_layout list_layout(const struct heads_pane *pane, size_t width_cols,
                                       size_t lines, const struct show_options *options)
{
    const struct heads_of of = heads_of_pane(pane);
    struct heads_layout layout;
    size_t n = heads_count(pane), each = size_max(lines, LISTED_LINES + 1), rows, in_row;
    do {
        size_t high = size_max(--each, LISTED_LINES), wide = size_max(2 * high, LISTED_COLS);
        layout = (struct heads_layout){.n_heads = 1};
        heads_layout_fit(&layout, &of, wide, high, options);
        layout.cols = size_max(layout.cols, LISTED_COLS);
        layout.gap_lines = 1; /* the names */
        in_row = size_max((width_cols - HEADS_LABEL_COLS + 1) / (layout.cols + 1), 1);
        rows = (n + in_row - 1) / in_row;
    } while (each > LISTED_LINES && rows * (layout.lines + 1) > lines);
    layout.n_heads = in_row;
    layout.n_layers = size_max(lines / (layout.lines + 1), 1);
    return layout;
}

void heads_place_grid(struct heads_pane *pane, size_t width_cols, size_t lines,
                      const struct show_options *options)
{
    const struct heads_of of = heads_of_pane(pane);
    struct heads_layout was = pane->layout;
    pane->layout = pane->ranking.is_sorted ? list_layout(pane, width_cols, lines, options)
                                           : heads_places_fit(&of, width_cols, lines, options);
    size_t place = place_of(pane, heads_index(pane)), cols = n_cols(pane);
    pane->layout.n_layers = size_min(pane->layout.n_layers, n_rows(pane));
    heads_places_scroll(&pane->layout, &was, place / cols, n_rows(pane), place % cols, cols);
}

bool heads_fill_grid(struct heads_pane *pane, const struct show_options *options,
                     struct error *reterr)
{
    const struct heads_layout *layout = &pane->layout;
    size_t first = layout->first_layer * layout->n_heads, n = layout->n_layers * layout->n_heads;
    const struct heads_of of = heads_of_pane(pane);
    doc_clear(&pane->grid);
    if (!pane->ranking.is_sorted)
        return show_heads(&of, layout, options, &pane->grid, reterr);
    return show_listed_heads(&of, layout, pane->ranking.order + first,
                             size_min(n, heads_count(pane) - first), options, &pane->grid, reterr);
}

/* ---- on the screen ---- */

bool heads_find_thumbnail(const struct heads_pane *pane, size_t head, int *ret_row, int *ret_col)
{
    size_t place = place_of(pane, head), cols = n_cols(pane);
    if (!heads_places_find(&pane->layout, place / cols, place % cols, ret_row, ret_col))
        return false;
    *ret_row += heads_top_rows(pane);
    return true;
}

bool heads_click_grid(struct heads_pane *pane, int row, int col)
{
    int top, left;
    for (size_t head = 0; head < heads_count(pane); head++)
        if (heads_find_thumbnail(pane, head, &top, &left) &&
            heads_places_hold(&pane->layout, top, left, row, col)) {
            heads_look_at(pane, head);
            return true;
        }
    return false;
}

/* ---- moving ---- */

bool heads_move_in_grid(struct heads_pane *pane, enum request request)
{
    size_t cols = n_cols(pane), place = place_of(pane, heads_index(pane));
    size_t row = place / cols, col = place % cols;
    ptrdiff_t steps;
    if ((request == REQ_LEFT || request == REQ_RIGHT) && pane->ranking.is_sorted) {
        place = scroll_step(place, request == REQ_LEFT ? -1 : 1, heads_count(pane));
        row = place / cols; /* from the end of a row to the next one */
        col = place % cols;
    } else if (request == REQ_LEFT || request == REQ_RIGHT)
        col = scroll_step(col, request == REQ_LEFT ? -1 : 1, cols);
    else if (scroll_steps_of(request, pane->layout.n_layers, n_rows(pane), &steps))
        row = scroll_step(row, steps, n_rows(pane));
    else
        return false;
    heads_look_at(pane, head_at(pane, size_min(row * cols + col, heads_count(pane) - 1)));
    pane->is_moved = true;
    return true;
}

size_t heads_n_rows(const struct heads_pane *pane)
{
    return n_rows(pane);
}
